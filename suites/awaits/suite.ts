import type { ScenarioInput, SuiteInput, TaskInput } from '../../harness/suite/suite-schema.ts';

/** What the server runs on. */
interface Runtime {
  name: string;
  title: string;
  /** Its program, and what goes before the server's file. */
  program: string[];
  /** The server's file, from the folder in which it is started. */
  server: string;
  /** Of all its rows. */
  shared: Pick<ScenarioInput, 'cwd' | 'packages' | 'versions' | 'optional'>;
  /** By this option of the program, contexts are kept as newer versions keep them: one more row. */
  newerBy?: string;
}

const SERVER = 'server.mjs';

const node = (version: 20 | 22 | 24): Runtime => ({
  name: `node-${version}`,
  title: `Node ${version}`,
  program: [`./node-${version}/node_modules/.bin/node`],
  server: SERVER,
  shared: { packages: `node-${version}`, optional: true },
});

const deno: Runtime = {
  name: 'deno',
  title: 'Deno',
  program: ['sh', 'deno.sh', 'run', '--no-remote', '--allow-net', '--allow-env'],
  server: `../../awaits/${SERVER}`,
  // The version of Deno that is measured there, too.
  shared: {
    cwd: '../runtimes/deno',
    packages: '../runtimes/deno',
    versions: ['sh', 'deno.sh', '--version'],
    optional: true,
  },
};

const bun: Runtime = {
  name: 'bun',
  title: 'Bun',
  program: ['bun', 'run'],
  server: SERVER,
  shared: {},
};

const RUNTIMES = [
  node(20),
  { ...node(22), newerBy: '--experimental-async-context-frame' },
  node(24),
  deno,
  bun,
];

/** Its servers: the plain one, and those that keep a context, which their answers prove. */
function serversOf({ name, program, server, shared, newerBy }: Runtime): ScenarioInput[] {
  const row = (suffix: string, title: string, command: string[]): ScenarioInput => ({
    ...shared,
    name: `${name}${suffix}`,
    title,
    command,
    telemetry: {},
  });
  const rows = [
    row('', 'Without AsyncLocalStorage', [...program, server]),
    row('-storage', 'AsyncLocalStorage', [...program, server, 'storage']),
  ];
  if (newerBy === undefined) return rows;
  const command = [...program, newerBy, server, 'storage'];
  return [...rows, row('-storage-newer', `AsyncLocalStorage, ${newerBy}`, command)];
}

const taskOf = (runtime: Runtime): TaskInput => ({
  name: runtime.name,
  title: runtime.title,
  exchanges: [{ answer: { body: 'Hi after 100 awaits' } }],
  baseline: runtime.name,
  scenarios: serversOf(runtime).map(({ name }) => name),
});

/** What AsyncLocalStorage costs a handler of many awaits, each of which keeps the context. */
export default {
  name: 'awaits',
  title: 'AsyncLocalStorage and 100 awaits',
  baseline: 'node-20',
  remarks: [
    'A request awaits 50 async functions, one after the other, and each of them awaits a promise that is resolved already: 100 awaits. It is in one context, which it reads once, at the end.',
  ],
  tasks: RUNTIMES.map(taskOf),
  scenarios: RUNTIMES.flatMap(serversOf),
  full: { warmupSeconds: 30 },
} satisfies SuiteInput;
