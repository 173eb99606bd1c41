import { existsSync } from 'node:fs';
import { orProblem, Problem } from '../words/errors.ts';
import { CALLED, complain, EXIT } from '../words/output.ts';

const SUITE = 'bench/suite.ts';

/** A suite that refuses to be loaded until all is filled in. */
const TEMPLATE = `import type { SuiteInput } from 'tracetax/suite';

const fillIn = (what: string): never => {
  throw new Error(\`fill in \${what}\`);
};
// It must listen on the port in $PORT.
const command = fillIn('the command of your server, such as ["bun", "run", "server.ts"]');

// docs/suites.md of tracetax has every field.
export default {
  name: 'mine',
  cwd: '..',
  request: { path: fillIn('the path of a request') },
  baseline: 'without',
  scenarios: [
    // It claims to record nothing, which is proven before it is measured.
    { name: 'without', command, env: fillIn('the variables that switch your instrumentation off'), telemetry: {} },
    // {sink} stands for host and port of what receives spans: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://{sink}' }
    { name: 'with', command, env: fillIn('the variables that switch it on, and say where it sends') },
  ],
} satisfies SuiteInput;
`;

/** Writes a template of a suite for the project in this folder. Returns the exit status. @throws Problem */
export async function init(): Promise<number> {
  if (existsSync(SUITE)) throw new Problem(`${SUITE} exists already`, `Measure it: ${CALLED} --suite ./${SUITE}`);
  await orProblem(() => Bun.write(SUITE, TEMPLATE), `${SUITE} can't be written`, 'Run init in a folder of yours');
  complain(`${SUITE}: written. Fill in what it asks for, then measure: ${CALLED} --suite ./${SUITE}`);
  return EXIT.done;
}
