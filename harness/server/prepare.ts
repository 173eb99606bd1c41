import { Child } from '../machine/child.ts';
import type { LoadedSuite } from '../suite/suite-schema.ts';
import { Problem } from '../words/errors.ts';
import { shellWords } from '../words/text.ts';

const WITHIN_MS = 1_800_000;

/** Runs what servers need before any is started, one command after the other. @throws Problem with its last lines. */
export async function prepare(suite: LoadedSuite, tell: (step: string) => void = () => {}): Promise<void> {
  for (const { command, cwd } of suite.prepare) {
    const words = shellWords(command);
    tell(`prepare: ${words}`);
    // Compilers complain on stdout, and what runs them on stderr.
    await using child = new Child(['sh', '-c', 'exec "$@" 2>&1', 'sh', ...command], { cwd, timeout: WITHIN_MS });
    const { code, how } = await child.exited;
    if (code === 0) continue;
    const failure = `"${words}" of the suite's "prepare" ended with ${how} in ${cwd}: ${child.complaint() || 'no output'}`;
    throw new Problem(failure, 'Fix what it does, or the command');
  }
}
