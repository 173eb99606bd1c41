import { $ } from 'bun';
import { loadArgv } from './load/run.ts';
import { loadOf } from './measure/solo.ts';
import type { Plan } from './run.ts';
import { serverArgv, serverEnv } from './server/server.ts';

/** A run takes a free port for each server; by hand, 3000 is what the load commands name. */
const PORT_BY_HAND = 3000;

/** Every command of the run, each fit to be pasted: the server into one terminal, the load into a second. */
export function dryRun(plan: Plan): string {
  const { suite, pinning, tool, configuration } = plan;
  const load = loadOf(plan, PORT_BY_HAND);
  const warmup = { ...load, durationSeconds: configuration.warmupSeconds };
  const loadCommands = [...(configuration.warmupSeconds > 0 ? [warmup] : []), load].map((each) =>
    shellWords(loadArgv(tool, each, pinning)),
  );
  const sections = suite.scenarios.map((scenario) => {
    const env = Object.entries(serverEnv(scenario, PORT_BY_HAND)).map(
      ([name, value]) => `${name}=${$.escape(value)}`,
    );
    const server = `(cd ${$.escape(suite.cwd)} && ${env.join(' ')} ${shellWords(serverArgv(scenario, pinning))})`;
    return [`# ${scenario.title ?? scenario.name}: the server, then its load`, server, ...loadCommands].join(
      '\n',
    );
  });
  const times = `# ${configuration.rounds} times in random order (seed ${configuration.seed}), each on a fresh server at a free port`;
  return [times, ...sections].join('\n\n');
}

function shellWords(argv: string[]): string {
  return argv.map((word) => $.escape(word)).join(' ');
}
