import { Problem } from '../words/errors.ts';

interface GitCall {
  /** Beside the environment that tracetax has. */
  env?: Record<string, string>;
  /** What the user can do if git fails, if it is known. */
  remedy?: string;
}

/**
 * Returns what git prints, called in a folder.
 * @throws Problem with its reason, or if there is no git
 */
export function git(
  folder: string,
  args: readonly string[],
  { env = {}, remedy = 'Mend what git names' }: GitCall = {},
): string {
  if (!Bun.which('git')) throw new Problem('There is no git on this machine', 'Install it');
  const run = Bun.spawnSync(['git', '-C', folder, ...args], { env: { ...process.env, ...env } });
  if (run.exitCode === 0) return run.stdout.toString().trim();
  const reason = run.stderr.toString().trim();
  throw new Problem(`${['git', ...args].join(' ')} failed: ${reason}`, remedy);
}
