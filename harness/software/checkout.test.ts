import { expect, test } from 'bun:test';
import { symlinkSync } from 'node:fs';
import { testFolder } from '../testing/folder.ts';
import { checkOutBoth } from './checkout.ts';

const { folder, path, write } = testFolder();

function git(...args: string[]): string {
  const identity = ['-c', 'user.name=x', '-c', 'user.email=x@example.org'];
  const run = Bun.spawnSync(['git', '-C', folder, ...identity, ...args]);
  expect(run.stderr.toString()).toBe('');
  return run.stdout.toString().trim();
}

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
