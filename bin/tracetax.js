#!/usr/bin/env node
// Starts the command line with Bun, for people who have Node and npm alone: npm brings Bun as a
// package.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { delimiter, dirname } from 'node:path';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const cli = fileURLToPath(new URL('../harness/cli.ts', import.meta.url));
/** Exit statuses: as in harness/words/output.ts. */
const EXIT = { failed: 1, usage: 2 };
const called = /^bun\//.test(process.env.npm_config_user_agent ?? '')
  ? 'bunx tracetax'
  : 'npx tracetax';

/**
 * The first Bun that runs: the one that runs this, or that of the packages, whose own install
 * script may have been refused.
 */
function findBun() {
  if (process.versions.bun) return process.execPath;
  const { platform, arch } = process;
  const system = `@oven/bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}`;
  // From the package itself: package managers may keep from others what it needs.
  const near = (file) => {
    try {
      return createRequire(require.resolve('bun/package.json')).resolve(file);
    } catch {
      return undefined;
    }
  };
  const paths = [`${system}/bin/bun`, `${system}-musl/bin/bun`, './bin/bun.exe'].map(near);
  return [...paths, 'bun'].find((path) => path && spawnSync(path, ['--version']).status === 0);
}

/**
 * Returns what the user has set: if Bun runs this, it has read `.env` files of the folder, too. The
 * command line undoes that as well, but of its own process alone: what this one hands over would
 * look like the user's there. Nothing of harness/ can be used here, which Node alone can't read.
 */
function userEnv() {
  if (!process.versions.bun || !existsSync('/proc/self/environ')) return process.env;
  const initial = readFileSync('/proc/self/environ', 'utf8').split('\0');
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) =>
      initial.some((each) => each.startsWith(`${name}=`)),
    ),
  );
}

/** A full disk is an error; a reader that went away, such as `head`, is none. */
function printVersion() {
  process.stdout.on('error', ({ code, message }) => {
    if (code === 'EPIPE' || code === 'EIO') return;
    console.error(`tracetax: stdout can't be written: ${message}. Print it again elsewhere.`);
    process.exitCode = EXIT.failed;
  });
  process.stdout.write(`${version}\n`);
}

/** Runs the command line, and ends as it does. */
function start(bun) {
  // A command that says `bun` gets this one, if there is no other. In its package it may be called
  // bun.exe; npm links it.
  const bins = ['../node_modules/.bin', '../../.bin'].map((folder) =>
    fileURLToPath(new URL(folder, import.meta.url)),
  );
  const PATH = [process.env.PATH, ...bins, dirname(bun)].filter(Boolean).join(delimiter);
  const env = { ...userEnv(), PATH, TRACETAX_CALLED: process.env.TRACETAX_CALLED ?? called };
  // What the project's bunfig.toml preloads is for its servers.
  const child = spawn(bun, ['--config=/dev/null', cli, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env,
  });
  // A terminal sends Ctrl-C to both: the command line ends by itself, after it has stopped what it
  // started.
  const hasTerminal = [0, 1, 2].some((stream) => isatty(stream));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => (signal !== 'SIGINT' || !hasTerminal) && child.kill(signal));
  child.on('exit', (status, signal) => {
    process.exitCode = status ?? 128 + constants.signals[signal];
  });
}

/** Prints the version, which needs no Bun, or runs the command line. */
function main() {
  if (process.argv[2] === '--version' || process.argv[2] === '-V') return printVersion();
  const bun = findBun();
  if (bun) return start(bun);
  console.error(
    'tracetax: There is no Bun to run it. ' +
      'Install its packages without --omit=optional, or Bun (https://bun.sh).',
  );
  // What was written goes out before Node ends by itself; `process.exit` would drop it.
  process.exitCode = EXIT.usage;
}

main();
