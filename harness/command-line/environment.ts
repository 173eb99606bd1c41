import { ownAddresses } from '../machine/environment.ts';
import { readText } from '../words/files.ts';

/**
 * Takes back what Bun has read from the `.env` files of the current folder: only what the user's
 * own environment says is for servers and tools. Linux tells what that was when this process began;
 * elsewhere the variables stay.
 */
export function undoDotenv(): void {
  const initial = readText('/proc/self/environ');
  if (!initial) return;
  for (const name of Object.keys(process.env))
    if (!`\0${initial}`.includes(`\0${name}=`)) delete process.env[name];
}

/** By these, a hook of git says in which repository it is. */
const REPOSITORY_VARIABLES = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_COMMON_DIR',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_PREFIX',
];

/** Lets git find the repository of the folder in which it is called, also within a hook of git. */
export function leaveGitHook(): void {
  for (const name of REPOSITORY_VARIABLES) delete process.env[name];
}

/** Lets a proxy alone be: tracetax, and all that it starts, ask this machine directly. */
export function bypassProxyForOwnAddresses(): void {
  const { NO_PROXY, no_proxy } = process.env;
  const hosts = [NO_PROXY, no_proxy, ...ownAddresses(), 'localhost'].filter(Boolean).join(',');
  process.env.NO_PROXY = hosts;
  process.env.no_proxy = hosts;
}
