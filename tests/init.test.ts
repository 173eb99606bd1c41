// A template for a first suite.
import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { Workplace } from './bench.ts';

test.each([
  ['bun src/run.ts', '["bun","src/run.ts"]'],
  ['cd src && bun run.ts', '["sh","-c","cd src && bun run.ts"]'],
  [undefined, "fillIn('the command of your server')"],
])('the template of a project whose start script is %p', async (script, command) => {
  await using place = new Workplace();
  place.write('package.json', JSON.stringify({ name: '@me/shop', scripts: { start: script } }));
  expect(await place.run(['init'])).toMatchObject({ status: 0, stdout: '' });
  const file = place.path('bench/suite.ts');
  expect(readFileSync(file, 'utf8')).toContain(`name: "me-shop"`);
  expect(readFileSync(file, 'utf8')).toContain(`command: ${command},`);
  // It is refused until it is filled in.
  const run = await place.run(['--suite', './bench/suite.ts', '--dry-run']);
  expect(run).toMatchObject({ status: 2, stdout: '' });
  expect(run.stderr).toMatch(/^tracetax: .*suite\.ts can't be read: fill in the path of a request\. Fix the file\.\n$/);
  // What is there already is not written over.
  expect(await place.run(['init'])).toMatchObject({ status: 2, stdout: '' });
});

test('a folder that is no project, or can not be written to, is refused, and nothing is written', async () => {
  await using place = new Workplace();
  const none = await place.run(['init']);
  expect(none).toMatchObject({ status: 2, stdout: '' });
  expect(none.stderr).toMatch(/^tracetax: There is no readable package\.json here: [^\n]+\n$/);
  expect(existsSync(place.path('bench'))).toBe(false);
  place.write('package.json', '{}');
  place.write('bench', 'no folder');
  const refused = await place.run(['init']);
  expect(refused).toMatchObject({ status: 2, stdout: '' });
  expect(refused.stderr).toMatch(/^tracetax: bench can't be made: [^\n]+\n$/);
});
