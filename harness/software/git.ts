import { Problem } from '../words/errors.ts';

/**
 * Returns what git prints, called in a folder.
 * @throws Problem with its reason, or if there is no git
 */
export function git(
  folder: string,
  args: readonly string[],
  env: Record<string, string> = {},
): string {
  if (!Bun.which('git')) throw new Problem('There is no git on this machine', 'Install it');
  const run = Bun.spawnSync(['git', '-C', folder, ...args], { env: { ...process.env, ...env } });
  if (run.exitCode === 0) return run.stdout.toString().trim();
  const cause = `${['git', ...args].join(' ')} failed: ${run.stderr.toString().trim()}`;
  // A clone in CI often has but one commit.
  throw new Problem(
    cause,
    'Call it inside a git repository that has this revision: ' +
      'a shallow clone needs git fetch --unshallow',
  );
}
