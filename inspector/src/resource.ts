import { type Attributes, diag } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import { VERSION } from './core.ts';

let attributes: Attributes | undefined;
let resource: Resource | undefined;

/** Returns the SDK's default resource and what the environment adds. The SDK itself would add 0.5 MB to the heap. */
export function resourceAttributes(): Attributes {
  const { OTEL_SERVICE_NAME: name = '', OTEL_RESOURCE_ATTRIBUTES: others = '' } = process.env;
  attributes ??= {
    'service.name': `unknown_service:${process.argv0}`,
    'telemetry.sdk.language': 'nodejs',
    'telemetry.sdk.name': 'opentelemetry',
    'telemetry.sdk.version': VERSION,
    ...parse(others),
    ...(name.trim() && { 'service.name': name }),
  };
  return attributes;
}

/** The same as the SDK has it. Loads the SDK when it is called. */
export function sharedResource(): Resource {
  if (resource !== undefined) return resource;
  const sdk: typeof import('@opentelemetry/resources') = require('@opentelemetry/resources');
  resource = sdk.resourceFromAttributes(resourceAttributes());
  return resource;
}

/** Pairs such as `key=value`, separated by commas. If one can't be read, none is taken, as the specification wants it. */
function parse(text: string): Attributes {
  try {
    const pairs = text.split(',').filter((pair) => pair.trim() !== '');
    return Object.fromEntries(pairs.map(parsePair));
  } catch (error) {
    diag.error('OTEL_RESOURCE_ATTRIBUTES is ignored', error);
    return {};
  }
}

function parsePair(pair: string): [key: string, value: string] {
  const [key = '', value, ...more] = pair.split('=').map((part) => decodeURIComponent(part.trim()));
  if (key === '' || value === undefined || more.length > 0) throw new Error(`not a key and a value: ${pair}`);
  return [key, value];
}
