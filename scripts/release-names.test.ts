import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DOCUMENTS } from '../benchmarks/tables.ts';
import { releaseNames, withReleaseNames } from './release-names.ts';

const ROOT = join(import.meta.dir, '..');

test('documents name the repository and the version that package.json has', () => {
  for (const document of [...DOCUMENTS, 'docs/github-actions.yml']) {
    const text = readFileSync(join(ROOT, document), 'utf8');
    expect(withReleaseNames(text, releaseNames())).toBe(text);
  }
});

test('a new address and a new version replace those of before, and nothing else', () => {
  const names = { repository: 'someone/tracetax', version: '1.2.0' };
  expect(withReleaseNames('- uses: THE_OWNER/tracetax@v0.3.0\n', names)).toBe(
    '- uses: someone/tracetax@v1.2.0\n',
  );
  expect(withReleaseNames('npm install /path/to/tracetax-0.3.0.tgz\n', names)).toBe(
    'npm install /path/to/tracetax-1.2.0.tgz\n',
  );
  const other = '- uses: actions/checkout@v4\n- @tracetax/inspector 0.1.0';
  expect(withReleaseNames(other, names)).toBe(other);
});
