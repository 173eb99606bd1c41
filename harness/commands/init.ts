import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { orProblem, Problem } from '../words/errors.ts';
import { CALLED, complain, EXIT, writeWhole } from '../words/output.ts';

const SUITE = 'bench/suite.ts';

/** Writes a template of a suite for the project in this folder. Returns the exit status. @throws Problem */
export async function init(): Promise<number> {
  if (existsSync(SUITE)) throw new Problem(`${SUITE} exists already`, `Measure it: ${CALLED} --suite ./${SUITE}`);
  const read = () => JSON.parse(readFileSync('package.json', 'utf8'));
  const cause = 'There is no readable package.json here';
  const { name = 'server', scripts } = await orProblem(read, cause, 'Run init in the folder of a project');
  const makeFolder = () => mkdirSync(dirname(SUITE), { recursive: true });
  await orProblem(makeFolder, `${dirname(SUITE)} can't be made`, 'Run init in a folder of yours');
  await writeWhole(SUITE, templateFor(name, scripts?.start));
  complain(`${SUITE}: written. Fill in what it asks for, then measure: ${CALLED} --suite ./${SUITE}`);
  return EXIT.done;
}

/** A suite that refuses to be loaded until all is filled in. */
function templateFor(project: string, start: string | undefined): string {
  const name = JSON.stringify(project.replace(/[^\w.-]+/g, '-').replace(/^-/, ''));
  // What only a shell can read is left to one.
  const words = start && /^[\w@%+=:,./ -]+$/.test(start) ? start.split(' ') : ['sh', '-c', start];
  const command = start === undefined ? "fillIn('the command of your server')" : JSON.stringify(words);
  return `import type { SuiteInput } from 'tracetax/suite';

const fillIn = (what: string): never => {
  throw new Error(\`fill in \${what}\`);
};

// docs/suites.md of tracetax has every field.
export default {
  name: ${name},
  cwd: '..',
  request: { path: fillIn('the path of a request') },
  baseline: 'without',
  scenarios: [
    {
      name: 'without',
      // The server must listen on the port in $PORT.
      command: ${command},
      env: fillIn('the variables that switch your instrumentation off'),
      // It claims to record nothing, which is proven before it is measured.
      telemetry: {},
    },
    {
      name: 'with',
      command: ${command},
      // {sink} stands for host and port of what receives spans: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://{sink}' }
      env: fillIn('the variables that switch it on, and say where it sends'),
      // If "telemetry" says what it records of each request, that is proven, too.
    },
  ],
} satisfies SuiteInput;
`;
}
