import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readText } from '../machine/read.ts';
import { runCommand } from '../options.ts';
import { orProblem, Problem } from '../words/errors.ts';
import { CALLED, complain, writeWhole } from '../words/output.ts';
import { measure } from './measure.ts';

const SUITE = 'bench/suite.ts';
const SERVER = 'bench/server.ts';

const ENTRIES = ['server', 'index', 'main', 'app'].flatMap((name) => [`src/${name}.ts`, `${name}.ts`, `${name}.js`]);

/** Variables that switch instrumentation off, or on and to where it sends, by the packages that are it. */
const TRACERS = [
  {
    pattern: /^dd-trace$/,
    off: { DD_TRACE_ENABLED: 'false' },
    // It would obey what tells an OpenTelemetry SDK where to export.
    on: { DD_TRACE_AGENT_URL: 'http://{sink}', OTEL_TRACES_EXPORTER: '', OTEL_METRICS_EXPORTER: '' },
  },
  { pattern: /^@sentry\//, off: { SENTRY_DSN: '' }, on: { SENTRY_DSN: 'http://key@{sink}/1' } },
  {
    pattern: /opentelemetry|\botel\b/,
    off: { OTEL_SDK_DISABLED: 'true' },
    on: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://{sink}' },
  },
];

const SERVER_SOURCE = `if (process.env.TRACING === 'on') {
  // Switch on here what you want to measure.
}

export default { fetch: () => new Response('Hi') };
`;

const LISTENS = /\b(listen|serve)\(|export default (app|server|new Hono|\{\s*(port|fetch))\b/;

/** What a package.json tells of a project. */
type Project = { name?: string; main?: string; module?: string } & {
  [field in 'scripts' | 'dependencies' | 'devDependencies' | 'peerDependencies']?: Record<string, string>;
};

/** Writes a first suite for the project in this folder, and prints what its run would do. Returns the exit status. @throws Problem */
export async function init(): Promise<number> {
  if (existsSync(SUITE)) throw new Problem(`${SUITE} exists already`, `Measure it: ${CALLED} --suite ./${SUITE}`);
  const read = (): Project => JSON.parse(readFileSync('package.json', 'utf8'));
  const cause = 'There is no readable package.json here';
  const project = await orProblem(read, cause, 'Run init in the folder of a project');
  const { command, entry } = serverOf(project);
  const makeFolder = () => mkdirSync(dirname(SUITE), { recursive: true });
  await orProblem(makeFolder, `${dirname(SUITE)} can't be made`, 'Run init in a folder of yours');
  const isWritten = entry === SERVER && !existsSync(SERVER);
  if (isWritten) await writeWhole(SERVER, SERVER_SOURCE);
  const source = readFileSync(entry, 'utf8');
  const { name = 'server', dependencies, devDependencies, peerDependencies } = project;
  const packages = Object.keys({ ...peerDependencies, ...devDependencies, ...dependencies });
  await writeWhole(SUITE, suiteSource(name, packages, command, source));
  complain(`${SUITE}: written, for "${command.join(' ')}"`);
  if (isWritten) complain(`${SERVER}: written, because no server was found. Add what you want to measure to it`);
  else if (!/PORT|export default/.test(source)) complain(`${entry}: make it listen on the port in $PORT`);
  if (!packages.includes('tracetax')) complain('Add the kit: tracetax, to your devDependencies');
  complain(`Measure: ${CALLED} --suite ./${SUITE}\n`);
  const dryRun = runCommand('init', '').parse(['--suite', `./${SUITE}`, '--dry-run'], { from: 'user' });
  return measure(dryRun.opts());
}

/** How the project's server is started, and its entry file: that which init writes if it seems to have none. */
function serverOf({ scripts = {}, module, main }: Project) {
  for (const script of [scripts.start, scripts.serve, scripts.dev]) {
    // Only what no shell has to read.
    if (!script || !/^(bun|node)( [\w@%+=:,./-]+)+$/.test(script)) continue;
    const command = script.split(' ').filter((word) => !/^(--)?(watch|hot)$/.test(word));
    const entry = command.findLast((word) => /\.\w+$/.test(word) && readText(word) !== undefined);
    if (entry) return { command, entry };
  }
  // "main" may name a folder.
  const isServer = (file = '') => LISTENS.test(readText(file) ?? '');
  const entry = [module, main, ...ENTRIES].find(isServer);
  if (entry === undefined) return { command: ['bun', 'run', SERVER], entry: SERVER };
  const runtime = existsSync('bun.lock') || entry.endsWith('.ts') ? 'bun' : 'node';
  return { command: [runtime, entry], entry };
}

/** The suite for a project of this name that uses these packages, whose server is started like that. */
function suiteSource(project: string, packages: string[], command: string[], source: string): string {
  const tracer = TRACERS.find(({ pattern }) => packages.some((each) => pattern.test(each)));
  const what = packages.find((each) => tracer?.pattern.test(each)) ?? 'instrumentation';
  // What the server reads that init writes.
  const ownSwitch = { off: { TRACING: 'off' }, on: { ...tracer?.on, TRACING: 'on' } };
  const { off, on } = !tracer || command.includes(SERVER) ? ownSwitch : tracer;
  const path = /\.get\(\s*['"`](\/[^'"`:*{]*)['"`]/.exec(source)?.[1] ?? '/';
  const name = project.replace(/[^\w.-]+/g, '-').replace(/^-/, '');
  const json = (value: unknown) => JSON.stringify(value);
  return `import type { SuiteInput } from 'tracetax/suite';

// node_modules/tracetax/docs/suites.md has every field.
export default {
  name: ${json(name)},
  title: ${json(what)},
  cwd: '..',
  request: { path: ${json(path)} },
  baseline: 'without',
  scenarios: [
    {
      name: 'without',
      title: ${json(`Without ${what}`)},
      command: ${json(command)},
      // If your server reads another switch, name it here and below.
      env: ${json(off)},
      // It claims to record nothing, which is proven before it is measured.
      telemetry: {},
    },
    {
      name: 'with',
      title: ${json(`With ${what}`)},
      command: ${json(command)},
      env: ${json(on)},
      // If "telemetry" says what it records of each request, that is proven too.
    },
  ],
} satisfies SuiteInput;
`;
}
