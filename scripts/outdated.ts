/**
 * Lists the pinned packages of suites that have newer versions: `bun run outdated`. With
 * `--measure`, it measures again what was published of suites whose packages have changed since,
 * and updates the documents that show it.
 */
import { cpSync, existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { machineFacts } from '../harness/machine/environment.ts';
import { readResult } from '../harness/result/file.ts';
import type { Result } from '../harness/result/schema.ts';
import { readSuite } from '../harness/suite/read-suite.ts';
import type { Suite } from '../harness/suite/suite.ts';

const ROOT = resolve(import.meta.dir, '..');

const filesIn = (...patterns: string[]) =>
  patterns.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(ROOT)]).sort();

/** The suites with packages of their own. */
async function pinningSuites(): Promise<Suite[]> {
  const files = filesIn('suites/*.ts', 'suites/*/suite.ts');
  const suites = await Promise.all(files.map((file) => readSuite(join(ROOT, file))));
  return suites.filter(({ scenarios }) => scenarios.some(({ packages }) => packages.length > 0));
}

const foldersOf = ({ scenarios }: Suite) => [
  ...new Set(scenarios.flatMap(({ packages }) => packages)),
];

/** What `bun outdated` prints of a folder: a row for each package that has a newer version. */
export function outdatedIn(table: string): { name: string; pinned: string; latest: string }[] {
  const rows = table.matchAll(/^\| (\S+)(?: \(\w+\))?\s+\| (\d\S*)\s+\| \S+\s+\| (\S+)/gm);
  return [...rows].map(([, name = '', pinned = '', latest = '']) => ({ name, pinned, latest }));
}

/**
 * Why what was measured of a suite is no longer so: rows that are new, and packages that have
 * another version now.
 */
export function changes(
  suite: Suite,
  result: Pick<Result, 'suite'>,
  pinnedIn = readPinned,
): string[] {
  return suite.scenarios.flatMap(({ name, packages }) => {
    const measured = result.suite.scenarios.find((scenario) => scenario.name === name);
    // Why a row could not be measured may have gone with a new version: whoever knows of one
    // measures it by hand.
    if (!measured)
      return result.suite.skipped.some(({ fault }) => fault.scenario === name)
        ? []
        : [`${name} is new`];
    const pinned = Object.entries(
      Object.assign({}, ...packages.map(pinnedIn)) as Record<string, string>,
    );
    return pinned.flatMap(([name, now]) => {
      const before = measured.packages[name];
      return before === undefined || before === now || !/^\d/.test(now)
        ? []
        : [`${name} ${before} is now ${now}`];
    });
  });
}

function readPinned(folder: string): Record<string, string> {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).dependencies ?? {};
}

async function list(suites: Suite[]): Promise<void> {
  const folders = new Set(suites.flatMap(foldersOf));
  for (const folder of [...folders].filter((each) => existsSync(join(each, 'bun.lock'))).sort()) {
    const { stdout, stderr, exitCode } = await Bun.$`bun outdated`.cwd(folder).nothrow().quiet();
    if (exitCode !== 0)
      throw new Error(`bun outdated failed in ${relative(ROOT, folder)}: ${stderr}`);
    const users = suites
      .filter((suite) => foldersOf(suite).includes(folder))
      .map(({ name }) => name);
    for (const { name, pinned, latest } of outdatedIn(stdout.toString()))
      console.log(
        `${relative(ROOT, folder)}: ${name} ${pinned} -> ${latest} (${users.join(', ')})`,
      );
  }
}

async function measure(suites: Suite[], options: string[]): Promise<void> {
  for (const suite of suites) {
    // Of runs that nobody published, names begin with a time.
    const files = filesIn(`results/${suite.name}-*.json`).filter(
      (file) => readResult(file).suite.name === suite.name,
    );
    if (files.length === 0) console.log(`${suite.name}: not published yet`);
    for (const file of files) {
      const published = readResult(file);
      const why = changes(suite, published);
      console.log(`${suite.name}: ${[...new Set(why)].join(', ') || 'unchanged'}`);
      if (why.length === 0) continue;
      const { cpu } = published.environment;
      // Documents cite the file for that machine.
      if (cpu !== machineFacts(ROOT).cpu) {
        console.log(`${file} was measured on another machine (${cpu}), and stays as it is`);
        continue;
      }
      // What was published stays until there is something in its place.
      const again = join(mkdtempSync(join(tmpdir(), 'tracetax-again-')), basename(file));
      const { exitCode } =
        await Bun.$`scripts/bench.sh --suite ${suite.name} --out ${again} ${options}`.nothrow();
      if (exitCode === 0) cpSync(again, file);
      else
        console.log(`${file} stays as it is: the run ended with status ${exitCode}. See ${again}`);
    }
  }
  // What it can't print, it tells itself.
  const { exitCode } = await Bun.$`bun run tables`.nothrow();
  process.exitCode = exitCode;
}

if (import.meta.main) {
  process.chdir(ROOT);
  const [mode, ...options] = process.argv.slice(2);
  const suites = await pinningSuites();
  await (mode === '--measure' ? measure(suites, options) : list(suites));
}
