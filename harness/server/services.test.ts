import { afterAll, expect, test } from 'bun:test';
import { plannedServer } from '../plan/planned-server.ts';
import { suiteSchema } from '../suite/suite-schema.ts';
import { serviceProcesses, watchServices, withServices } from './services.ts';

const SERVICE = `
  const { HOST: hostname, PORT: port } = process.env;
  Bun.serve({ hostname, port, fetch: () => new Response('up') });`;

const suite = suiteSchema.parse({
  name: 'services',
  baseline: 'one',
  services: [
    { name: 'echo', command: ['bun', '-e', SERVICE] },
    { name: 'broken', command: ['sh', '-c', 'echo no database here >&2; exit 1'] },
    { name: 'missing', command: ['no-such-database'] },
  ],
  scenarios: [
    { name: 'one', command: ['bun'], env: { URL: 'http://{service:echo}/', OTHER: '1' } },
    { name: 'two', command: ['bun', '{service:echo}'], env: { URL: 'http://{service:echo}/' } },
    { name: 'three', command: ['bun'], env: { URL: 'http://{service:broken}/' } },
    { name: 'four', command: ['bun'], env: { URL: 'http://{service:missing}/' } },
  ],
});
const [task] = suite.tasks;
const [one, two, three, four] = suite.scenarios.map((each) =>
  plannedServer(suite, task as never, each, 'otlp'),
);

/** The first that is started here; other files may have run in this process, too. */
const before = serviceProcesses.length;
const echo = () => serviceProcesses[before];

afterAll(() => Promise.all(serviceProcesses.map((child) => child.stop())));

test('a service runs once for all servers that name it, and they get its address', async () => {
  const { env } = await withServices(one as never, undefined);
  expect(await (await fetch(String(env.URL))).text()).toBe('up');
  expect(env.OTHER).toBe('1');
  const other = await withServices(two as never, undefined);
  expect([other.env.URL, `http://${other.command[1]}/`]).toEqual([env.URL, env.URL]);
  const used = watchServices();
  await fetch(String(env.URL));
  expect(used()).toBeGreaterThan(0);
});

test('a service that has ended is told of', async () => {
  await echo()?.stop();
  const failed = withServices(two as never, undefined);
  await expect(failed).rejects.toMatchObject({
    what: 'has no echo',
    detail: expect.stringContaining('listens no more'),
  });
});

test('a server whose service does not start says what that said', async () => {
  const failed = withServices(three as never, undefined);
  await expect(failed).rejects.toMatchObject({
    what: 'has no broken',
    detail: expect.stringContaining('no database'),
  });
});

test('a service whose program is not there is a fault of the servers that name it', async () => {
  const failed = withServices(four as never, undefined);
  await expect(failed).rejects.toMatchObject({ scenario: 'four', what: 'has no missing' });
});
