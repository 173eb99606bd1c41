import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { loadSuite } from '../../harness/suite/load.ts';

const names = ['*.ts', '*/suite.ts'].flatMap((pattern) =>
  [...new Bun.Glob(pattern).scanSync(join(import.meta.dir, '..'))].map((file) =>
    file.replace(/\/suite\.ts$|\.ts$/, ''),
  ),
);
const others = [...new Bun.Glob('{knobs,service,runtimes/*}/package.json').scanSync(join(import.meta.dir, '..'))].map(
  (file) => join('..', dirname(file)),
);
const folders = [...new Bun.Glob('{bun,node}/*/package.json').scanSync(import.meta.dir)].map(dirname).sort();

test('every folder belongs to a row, and every row has its folders', async () => {
  const suites = await Promise.all(names.map(loadSuite));
  const used = suites.flatMap(({ scenarios }) => scenarios.flatMap(({ packages }) => packages));
  const own = used.map((folder) => relative(import.meta.dir, folder)).filter((folder) => !folder.startsWith('..'));
  expect([...new Set(own)].sort()).toEqual(folders);
});

test.each([...folders, ...others])(
  '%s: exact versions, and a lock file unless its packages are those of the repository',
  (folder) => {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(import.meta.dir, folder, 'package.json'), 'utf8'),
    );
    const versions = Object.values<string>({ ...dependencies, ...devDependencies });
    const isOwn = versions.includes('workspace:*');
    for (const version of versions) expect(version).toMatch(/^(\d+\.\d+\.\d+|workspace:\*)$/);
    expect([...new Bun.Glob('bun.lock').scanSync(join(import.meta.dir, folder))]).toHaveLength(isOwn ? 0 : 1);
  },
);
