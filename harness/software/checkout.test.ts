import { expect, test } from 'bun:test';
import { existsSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { testFolder } from '../testing/folder.ts';
import { checkOutBoth } from './checkout.ts';

const { folder, path, write } = testFolder();

function gitIn(place: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=x', '-c', 'user.email=x@example.org'];
  const run = Bun.spawnSync(['git', '-C', place, ...identity, ...args]);
  expect(run.exitCode).toBe(0);
  return run.stdout.toString().trim();
}

const git = (...args: string[]) => gitIn(folder, ...args);

/** Commits a suite with this title. */
function commit(title: string): void {
  const scenarios = [{ name: 'a', command: ['node', 'a.js'] }];
  write('suite.json', { name: 'x', title, baseline: 'a', scenarios });
  git('add', '.');
  git('commit', '--quiet', '--allow-empty', '--message', title);
}

git('init', '--quiet', '--initial-branch', 'main');
write('.gitignore', 'link\n');
for (const title of ['one', 'two', 'two']) commit(title);
git('tag', 'light');
git('tag', '--annotate', 'heavy', '--message', 'x');
git('branch', 'other');
symlinkSync(folder, path('link'));

const SUITE = path('suite.json');
const checkOut = (revision: string, allowSame = false, suite = SUITE) =>
  checkOutBoth(revision, suite, allowSame);

test.each(['HEAD', 'main', 'other', 'light', 'heavy', '@{0}', 'HEAD~0'])(
  'HEAD is not compared with itself, by whatever name: %s',
  async (revision) => {
    await expect(checkOut(revision)).rejects.toThrow(
      `${revision} is HEAD itself, so there is nothing to compare`,
    );
  },
);

test('nor with another commit of the same files', async () => {
  await expect(checkOut('HEAD~1')).rejects.toThrow('HEAD~1 has the same files as HEAD');
});

test('it is if the user asks for that, and the report says so', async () => {
  const { old, others } = await checkOut('main', true);
  expect([old, ...others].map(({ suite }) => suite.remarks)).toEqual([
    [],
    ['Both are the same, so every difference is noise.'],
  ]);
});

test('two revisions that differ are compared without a remark', async () => {
  const { old, others } = await checkOut('HEAD~2', false, path('link/suite.json'));
  expect([old, ...others].map(({ suite }) => suite.title)).toEqual(['one', 'two']);
  expect(others.map(({ suite }) => suite.remarks)).toEqual([[]]);
});

test('a revision that is given by its hash is called by that alone', async () => {
  const hash = git('rev-parse', 'HEAD~2');
  const titleOf = async (revision: string) => (await checkOut(revision)).old.title;
  expect(hash).toStartWith(await titleOf(hash));
  expect(await titleOf('HEAD~2')).toBe(`HEAD~2 (${await titleOf(hash)})`);
});

/** A repository of its own with these files, in one commit after another. */
function repository(name: string, ...commits: Record<string, string | object>[]): string {
  write(`${name}/x`, '');
  gitIn(path(name), 'init', '--quiet', '--initial-branch', 'main');
  for (const files of commits) {
    for (const [file, content] of Object.entries(files)) write(`${name}/${file}`, content);
    gitIn(path(name), 'add', '.');
    gitIn(path(name), 'commit', '--quiet', '--message', 'x');
  }
  return path(name);
}

/** A suite whose servers run in the folder above it. */
function suiteWith(scenario: object = {}, more: object = {}) {
  const scenarios = [{ name: 'a', command: ['node', 'a.js'], ...scenario }];
  return { name: 'x', cwd: '..', baseline: 'a', scenarios, ...more };
}

/** Checks out both commits of a repository, and returns the folders of the servers. */
async function foldersOf(place: string): Promise<string[]> {
  const { old, others } = await checkOut('HEAD~1', false, `${place}/bench/suite.json`);
  return [old, ...others].map(({ suite }) => suite.cwd);
}

test('a checkout is a repository of its own, at its commit and with the tags', async () => {
  const place = repository('tagged', { 'bench/suite.json': suiteWith() }, { change: '' });
  gitIn(place, 'tag', 'v1', 'HEAD~1');
  const folders = await foldersOf(place);
  expect(folders.map((each) => gitIn(each, 'describe', '--tags'))).toEqual([
    'v1',
    expect.stringMatching(/^v1-1-g/),
  ]);
  for (const each of folders) {
    expect(gitIn(each, 'rev-parse', '--show-toplevel')).toBe(realpathSync(each));
    expect(gitIn(each, 'status', '--porcelain')).toBe('');
    gitIn(each, 'config', 'core.hooksPath', '.husky');
  }
  expect(gitIn(place, 'config', '--list', '--local')).not.toContain('husky');
});

test('what a revision needs from beside the repository is found from its checkout', async () => {
  write('beside/go.mod', 'module beside');
  const module = 'module x\n\nreplace (\n\tbeside => ../beside\n\tbuilt => ./../leans/built\n)\n';
  const place = repository(
    'leans',
    { 'bench/suite.json': suiteWith(), 'go.mod': module, '.gitignore': 'built' },
    { change: '' },
  );
  write('leans/built', 'by the user');
  for (const each of await foldersOf(place)) {
    expect(readFileSync(join(each, '../beside/go.mod'), 'utf8')).toBe('module beside');
    expect(existsSync(join(each, 'built'))).toBe(false);
  }
});

test('submodules have the files that each revision names', async () => {
  const inner = repository('inner', { said: 'one' }, { said: 'two' });
  const place = repository('outer', { 'bench/suite.json': suiteWith() });
  const allowed = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add'];
  gitIn(place, ...allowed, inner, 'inner');
  gitIn(`${place}/inner`, 'checkout', '--quiet', 'HEAD~1');
  for (const revision of ['HEAD', 'main']) {
    gitIn(`${place}/inner`, 'checkout', '--quiet', revision);
    gitIn(place, 'add', '.');
    gitIn(place, 'commit', '--quiet', '--message', 'x');
  }
  const said = (await foldersOf(place)).map((each) =>
    readFileSync(join(each, 'inner/said'), 'utf8'),
  );
  expect(said).toEqual(['one', 'two']);
});

test.each<[what: string, suite: object, said: string]>([
  [
    'a virtual environment, whose copy runs what the original has',
    suiteWith({}, { files: ['../.venv'] }),
    'is a virtual environment',
  ],
  [
    "a path into the user's own folder",
    suiteWith({ command: ['node', path('refusing/a.js')] }),
    'Scenario a would run the same files in both revisions',
  ],
  [
    "the user's own folder as that of a server",
    suiteWith({ cwd: path('refusing') }),
    'Scenario a would run the same files in both revisions',
  ],
  [
    "the user's own folder as that of prepare",
    suiteWith({ cwd: '.' }, { cwd: path('refusing'), prepare: ['make'] }),
    'Scenario a would run the same files in both revisions',
  ],
])('a suite is refused if it names %s', async (_, suite, said) => {
  rmSync(path('refusing'), { recursive: true, force: true });
  const place = repository(
    'refusing',
    { 'bench/suite.json': suite, '.gitignore': '.venv' },
    { change: '' },
  );
  write('refusing/.venv/pyvenv.cfg', '');
  await expect(foldersOf(place)).rejects.toThrow(said);
});
