// A template for a first suite; tests/package.test.ts has its types checked.
import { expect, test } from 'bun:test';
import { Workplace } from './bench.ts';

test('init writes a suite that is refused until it is filled in, and writes over nothing', async () => {
  await using place = new Workplace();
  expect(await place.run(['init'])).toMatchObject({ status: 0, stdout: '' });
  const run = await place.run(['--suite', './bench/suite.ts', '--dry-run']);
  expect(run).toMatchObject({ status: 2, stdout: '' });
  expect(run.stderr).toMatch(/^tracetax: .*suite\.ts can't be read: fill in the command .* Fix the file\.\n$/);
  const again = await place.run(['init']);
  expect(again).toMatchObject({ status: 2, stderr: expect.stringContaining('bench/suite.ts exists already') });
});
