// What a user gets wrong that shows before anything is started: one line says it, and nothing is
// written.
import { expect, spyOn, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { testFolder } from '../testing/folder.ts';
import { HI, server } from '../testing/sources.ts';
import { reportFailure } from './failure.ts';
import { runProgram } from './program.ts';

const { path, write } = testFolder();
const OUT = path('out.json');
const scenarios = [{ name: 'a', command: ['bun', 'run', 'a.ts'] }];
const SUITE = write('suite.json', { name: 'test', baseline: 'a', scenarios });
const UNREADABLE = write('unreadable.json', '{');
const WRONG_FIELDS = write('wrong-fields.json', '{"name":"x","scenarios":[{"command":"a"}]}');
const TAKEN = write('a.ts', server(HI));
/** A terminal would obey it. */
const ESCAPES = write('escapes.json', '\u001b[2J\u009b');

/** The exit status of a call that fails, and what it prints. */
async function failed(words: string[]): Promise<{ status: number | undefined; stderr: string }> {
  using stderr = spyOn(process.stderr, 'write').mockReturnValue(true);
  const status = await runProgram(words).catch(reportFailure);
  return { status, stderr: stderr.mock.calls.join('') };
}

test.each<[said: string[], words: string[]]>([
  [['no suite ./nope.json'], ['--suite', './nope.json', '--out', OUT]],
  [
    ['There is no suite nope', 'levels'],
    ['--suite', 'nope', '--out', OUT],
  ],
  [
    ['no scenario "nope"', 'trace-active'],
    ['--suite', 'levels', '--scenarios', 'nope', '--out', OUT],
  ],
  [
    ['a.ts exists already', '--out'],
    ['--suite', SUITE, '--out', TAKEN],
  ],
  [
    ['--fail-above-p99 needs a steady rate', '--rate'],
    ['--suite', SUITE, '--fail-above-p99', '5ms', '--out', OUT],
  ],
  [
    ['traces is in several tasks', '--tasks: simple, simple-post, '],
    ['soak', 'traces', '--suite', 'workloads'],
  ],
  [["can't be read"], ['--suite', UNREADABLE, '--out', OUT]],
  [
    ['baseline', 'scenarios[0].command'],
    ['--suite', WRONG_FIELDS, '--out', OUT],
  ],
  [['is not a result'], ['report', ESCAPES]],
])('%p is said in one line', async (said, words) => {
  const { status, stderr } = await failed(words);
  expect(status).toBe(2);
  expect(stderr).toMatch(/^tracetax: [^\n]*\n$/);
  for (const each of said) expect(stderr).toContain(each);
  expect(stderr).not.toMatch(/(?!\n)\p{Cc}/u);
  expect(existsSync(OUT)).toBe(false);
});
