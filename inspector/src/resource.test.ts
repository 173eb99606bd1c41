import { expect, test } from 'bun:test';

/** What the SDK says of the resource in a process with these variables, and what the inspector says. */
function both(env: Record<string, string>) {
  const script = `
    import { defaultResource, detectResources, envDetector } from '@opentelemetry/resources';
    import { resourceAttributes, sharedResource } from './resource.ts';
    const sdk = defaultResource().merge(detectResources({ detectors: [envDetector] }));
    console.log(JSON.stringify([sdk.attributes, resourceAttributes(), sharedResource().attributes]));`;
  const run = Bun.spawnSync([process.execPath, '-e', script], {
    cwd: import.meta.dir,
    env: { ...process.env, ...env },
  });
  return JSON.parse(run.stdout.toString());
}

for (const [attributes, service] of [
  ['', ''],
  ['', 'shop'],
  ['service.name=other,team=a%2Cb , region = eu;1,', ''],
  ['service.name=other', 'shop'],
  ['team=a=b,region=eu', ''],
  ['team=%E0%A4%A,region=eu', 'shop'],
  ['team=a, ', ''],
  ['a=1, ,b=2', '  '],
  [' ', ''],
  ['=a', ''],
  ['team', ''],
] as const)
  test(`OTEL_RESOURCE_ATTRIBUTES=${attributes} OTEL_SERVICE_NAME=${service} mean what they mean to the SDK`, () => {
    const env = { OTEL_RESOURCE_ATTRIBUTES: attributes, OTEL_SERVICE_NAME: service };
    const [sdk, own, shared] = both(env);
    expect(own).toEqual(sdk);
    expect(shared).toEqual(sdk);
  });
