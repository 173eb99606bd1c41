import { expect, test } from 'bun:test';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { readSuite } from '../../harness/suite/read-suite.ts';

const find = (pattern: string | string[], cwd = resolve(import.meta.dir, '..')) =>
  globSync(pattern, { cwd });
const names = find(['*.ts', '*/suite.ts']).map((file) => file.replace(/\/suite\.ts$|\.ts$/, ''));
const others = find('{knobs,logs,service,{awaits,graphql,runtimes}/*}/package.json').map((file) =>
  join('..', dirname(file)),
);
const folders = find('{bun,node}/*/package.json', import.meta.dir)
  .map(dirname)
  .sort();

test('every folder belongs to a row, and every row has its folders', async () => {
  const suites = await Promise.all(names.map(readSuite));
  const used = suites.flatMap(({ scenarios }) => scenarios.flatMap(({ packages }) => packages));
  const own = used
    .map((folder) => relative(import.meta.dir, folder))
    .filter((folder) => !folder.startsWith('..'));
  expect([...new Set(own)].sort()).toEqual(folders);
});

test.each([...folders, ...others])(
  '%s: exact versions, and a lock file unless its packages are those of the repository',
  (folder) => {
    const own = join(import.meta.dir, folder);
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(`${own}/package.json`, 'utf8'),
    );
    const versions = Object.values<string>({ ...dependencies, ...devDependencies });
    const isOwn = versions.includes('workspace:*');
    for (const version of versions) expect(version).toMatch(/^(\d+\.\d+\.\d+|workspace:\*)$/);
    expect(find('bun.lock', own)).toHaveLength(isOwn ? 0 : 1);
  },
);
