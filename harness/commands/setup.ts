import { join } from 'node:path';
import { Problem } from '../words/errors.ts';
import { EXIT_STATUS } from '../words/output.ts';

/** The command `setup`: it installs load tools, by the script that sets up a clone. */

const SCRIPT = join(import.meta.dir, '../../scripts/load-tool.sh');

/**
 * Installs load tools, and shows what that prints. Returns the exit status. @throws Problem without
 * bash
 */
export function setup(): number {
  if (!Bun.which('bash'))
    throw new Problem('There is no bash', 'Install it, or a load tool by hand: see docs/load.md');
  const { exitCode } = Bun.spawnSync(['bash', SCRIPT], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, BUN: process.execPath },
  });
  // It is null if a signal ended the script.
  return exitCode ?? EXIT_STATUS.failure;
}
