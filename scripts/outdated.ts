/**
 * Lists the pinned packages of suites that have newer versions: `bun run outdated`. With
 * `--measure`, it does what a scheduled job would: it measures again what was published of suites
 * whose packages have changed since, with the settings of the published result, and updates the
 * documents that show it.
 *
 *     bun run outdated --measure                            # all; options of a run may follow
 *     bun run outdated --measure --suites tracers-hono --at-most 1h
 *     bun run outdated --measure --dry-run                  # what it would measure, and how
 */
import { cpSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { machineFacts } from '../harness/machine/environment.ts';
import { readResult } from '../harness/result/file.ts';
import { readSuite } from '../harness/suite/read-suite.ts';
import type { Suite } from '../harness/suite/suite.ts';
import { Problem, problemLine } from '../harness/words/errors.ts';
import { quoteCommand } from '../harness/words/text.ts';
import { changes, optionsLike, type Versions, whyUnfit } from './measure-again.ts';
import {
  type Finding,
  findingOf,
  heldIn,
  heldText,
  newerIn,
  publishedVersions,
} from './newer-packages.ts';

const ROOT = resolve(import.meta.dir, '..');

const filesIn = (...patterns: string[]) =>
  patterns.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(ROOT)]).sort();

function allSuites(): Promise<Suite[]> {
  const files = filesIn('suites/*.ts', 'suites/*/suite.ts');
  return Promise.all(files.map((file) => readSuite(join(ROOT, file))));
}

const foldersOf = ({ scenarios }: Suite) => [
  ...new Set(scenarios.flatMap(({ packages }) => packages)),
];

/** Prints a line for each package that is out of date, and one for all that are held back. */
async function list(suites: Suite[]): Promise<void> {
  const folders = new Set(suites.flatMap(foldersOf));
  const versionsOf = publishedVersions();
  const held: (Finding & { folder: string })[] = [];
  for (const path of [...folders].filter((each) => existsSync(join(each, 'bun.lock'))).sort()) {
    const folder = relative(ROOT, path);
    const users = suites.filter((suite) => foldersOf(suite).includes(path));
    const usersText = users.map(({ name }) => name).join(', ');
    const holds = heldIn(path);
    for (const newer of newerIn(await outdatedTable(path))) {
      const finding = await findingOf(newer, holds, versionsOf);
      const { name, pinned, latest } = finding;
      if (finding.because !== undefined) held.push({ ...finding, folder });
      else console.log(`${folder}: ${name} ${pinned} -> ${latest} (${usersText})`);
    }
  }
  if (held.length > 0) console.log(`Held on purpose: ${heldText(held)}`);
}

async function outdatedTable(folder: string): Promise<string> {
  const { stdout, stderr, exitCode } = await Bun.$`bun outdated`.cwd(folder).nothrow().quiet();
  if (exitCode !== 0)
    throw new Error(`bun outdated failed in ${relative(ROOT, folder)}: ${stderr}`);
  return stdout.toString();
}

/** What the user wants of measuring again. */
interface Wanted {
  /** Names of suites; undefined for all. */
  suites: string[] | undefined;
  isDryRun: boolean;
  /** Options of each run. */
  options: string[];
}

function wantedOf(given: readonly string[]): Wanted {
  // `--pairs=3` is `--pairs 3`.
  const args = given.flatMap((each) => /^(--[\w-]+)=(.*)$/s.exec(each)?.slice(1) ?? each);
  const at = args.indexOf('--suites');
  const suites = at < 0 ? undefined : args[at + 1]?.split(',');
  const others = args.filter((_, index) => at < 0 || (index !== at && index !== at + 1));
  return {
    suites,
    isDryRun: others.includes('--dry-run'),
    options: others.filter((each) => each !== '--dry-run'),
  };
}

/** Measures the published results again whose software has changed, and updates documents. */
async function measure(suites: Suite[], wanted: Wanted): Promise<void> {
  const names = suites.map(({ name }) => name);
  const unknown = wanted.suites?.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new Problem(`There is no suite "${unknown}"`, `Name some of ${names.join(', ')}`);
  const outcomes: Outcome[] = [];
  for (const suite of suites.filter(({ name }) => wanted.suites?.includes(name) ?? true)) {
    const files = publishedOf(suite);
    if (files.length === 0) console.log(`${suite.name}: not published yet`);
    for (const file of files) outcomes.push(await measureAgain(suite, file, wanted));
  }
  const isPrinted = !outcomes.includes('renewed') || (await printTables());
  if (outcomes.includes('failed') || !isPrinted) process.exitCode = 1;
}

/** Returns whether the documents have the new figures. */
async function printTables(): Promise<boolean> {
  // What it can't print, it tells itself.
  const { exitCode } = await Bun.$`bun run tables`.nothrow();
  if (exitCode !== 0) return false;
  console.log('Documents have the new figures: read `git diff`, and commit.');
  return true;
}

/** Returns the files with published results of a suite. */
function publishedOf({ name }: Suite): string[] {
  // Of runs that nobody published, names begin with a time.
  return filesIn(`results/${name}-*.json`).filter((file) => suiteNameIn(file) === name);
}

/** Returns the name of the suite of which a file has results; undefined if it is none of a run. */
function suiteNameIn(file: string): string | undefined {
  return JSON.parse(readFileSync(file, 'utf8')).suite?.name;
}

/** What became of a published result: `kept` if it was not to be measured again. */
type Outcome = 'renewed' | 'kept' | 'failed';

/** Measures a published result again if its software has changed, and puts it in its place. */
async function measureAgain(
  suite: Suite,
  file: string,
  { options, isDryRun }: Wanted,
): Promise<Outcome> {
  const published = readResult(file);
  const why = [...new Set(changes(suite, published, readPinned))];
  console.log(`${file}: ${why.join(', ') || 'unchanged'}`);
  if (why.length === 0) return 'kept';
  const { cpu } = published.environment;
  // Documents cite the file for that machine.
  if (cpu !== machineFacts(ROOT).cpu) {
    console.log(`  It was measured on another machine (${cpu}), and stays as it is.`);
    return 'kept';
  }
  // What was published stays until there is something in its place.
  const folder = isDryRun ? 'A_FOLDER' : mkdtempSync(join(tmpdir(), 'tracetax-again-'));
  const again = join(folder, basename(file));
  const ofSuite = ['--suite', suite.name, '--out', again];
  const command = ['scripts/bench.sh', ...ofSuite, ...optionsLike(published, suite, options)];
  console.log(`  ${quoteCommand(command)}`);
  if (isDryRun) return 'kept';
  const { exitCode } = await Bun.$`${command}`.nothrow();
  const unfit = existsSync(again)
    ? whyUnfit(published, readResult(again))
    : `the run ended with status ${exitCode}`;
  if (unfit !== undefined) {
    console.log(`  The published result stays as it is: ${unfit}. See ${again}`);
    return 'failed';
  }
  cpSync(again, file);
  return 'renewed';
}

/** Returns the versions that a folder pins; without one, those of tracetax and its inspector. */
function readPinned(folder: string | undefined): Versions {
  const folders = folder === undefined ? [ROOT, join(ROOT, 'inspector')] : [folder];
  const pinned = folders.map((each) => {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(each, 'package.json'), 'utf8'),
    );
    return { ...devDependencies, ...dependencies };
  });
  return Object.assign({}, ...pinned);
}

if (import.meta.main) {
  process.chdir(ROOT);
  const [mode, ...args] = process.argv.slice(2);
  const suites = await allSuites();
  try {
    await (mode === '--measure' ? measure(suites, wantedOf(args)) : list(suites));
  } catch (error) {
    const line = problemLine(error);
    if (line === undefined) throw error;
    console.error(line);
    process.exitCode = 2;
  }
}
