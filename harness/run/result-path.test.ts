import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { testFolder } from '../testing/folder.ts';
import { rewritableFile, writableFile } from './result-path.ts';

const { path, write } = testFolder();

test('a file that is there, or can not be written, is refused; nothing is left of the trial', () => {
  write('out.json', 'precious');
  expect(() => writableFile(path('out.json'), 'x')).toThrow('exists already');
  expect(() => writableFile('/proc/nope.json', 'x')).toThrow("can't be written");
  expect(() => rewritableFile('/proc/nope.json')).toThrow("can't be written");
  expect(writableFile(path('sub/new.json'), 'x')).toBe(path('sub/new.json'));
  expect(existsSync(path('sub'))).toBe(false);
});
