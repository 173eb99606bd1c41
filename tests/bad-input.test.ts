// What a user gets wrong, or lacks: one line says it, and nothing is left behind. What a part says of it is tested there.
import { expect } from 'bun:test';
import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { caseOf, type Finished, HI, SHORT, type Workplace } from './bench.ts';

/** Exit status not 0, one line for the user, no stack trace, no process and no file left behind. */
async function expectOneLine({ status, stderr }: Finished, place: Workplace, ...words: string[]): Promise<void> {
  expect(status).toBeGreaterThan(0);
  const lines = stderr.split('\n').filter((line) => /^(tracetax|error): /.test(line));
  expect(lines.length).toBe(1);
  for (const word of words) expect(lines[0]).toContain(word);
  expect(stderr).not.toMatch(/^\s+at /m);
  await place.end();
  expect(readdirSync(place.temporary)).toEqual([]);
}

const OF_USERS: [what: string, args: string[], words: string[]][] = [
  ['suite', ['--suite', 'nope'], ['There is no suite "nope"', 'levels']],
  ['suite file', ['--suite', './nope.json'], ['no suite file', 'nope.json']],
  ['scenario', ['--scenarios', 'nope'], ['no scenario "nope"', 'trace-active']],
  ['task', ['--suite', 'workloads', '--tasks', 'nope'], ['no task "nope". It has: simple, simple-post']],
  ['format', ['--format', 'pdf'], ['pdf', 'docs']],
  ['option', ['--round', '3'], ["unknown option '--round'"]],
  ['command', ['nurse'], ['nurse']],
  ['option before a command', ['--quick', 'explain', '--dry-run'], ['before "explain"', '--quick']],
  ['result', ['report', '/nope.json'], ['/nope.json', "can't be read"]],
];
for (const [what, args, words] of OF_USERS)
  caseOf(`unknown ${what}`, async (place) => expectOneLine(await place.run(args), place, ...words));

const SUITES: [what: string, name: string, content: string, words: string[]][] = [
  ['that is no JSON', 'x.json', '{', ["can't be read"]],
  ['with wrong fields', 'x.json', '{"name":"x","scenarios":[{"command":"a"}]}', ['baseline', 'scenarios[0].command']],
  ['that ends the process', 'x.ts', 'process.exit();', ['ends the process']],
];
for (const [what, name, content, words] of SUITES)
  caseOf(`a suite ${what}`, async (place) => {
    await expectOneLine(await place.run(['--suite', place.write(name, content)]), place, ...words);
  });

const PLACES: [what: string, out: string, env: Record<string, string>, words: string[]][] = [
  ['for temporary files that is none', 'x.json', { TMPDIR: '/nope' }, ['temporary files', '/nope']],
  ["that can't be written to", '/proc/nope.json', {}, ["can't be written", '--out']],
  ['where a file is already', 'a.ts', {}, ['a.ts exists already', '--out']],
];
for (const [what, out, env, words] of PLACES)
  caseOf(`a place ${what}`, async (place) => {
    const run = await place.run([...SHORT, '--suite', place.suite({ a: HI }), '--out', out], env);
    await expectOneLine(run, place, ...words);
    if (out === 'a.ts') expect(await Bun.file(place.path(out)).text()).toContain(HI);
  });

caseOf('a result that is none, with characters that a terminal obeys', async (place) => {
  const run = await place.run(['report', place.write('x.json', '\u001b[2J\u009b')]);
  await expectOneLine(run, place, 'is not a result');
  expect(run.stderr).not.toMatch(/(?!\n)\p{Cc}/u);
});

caseOf('a revision, on a machine without git', async (place) => {
  symlinkSync(process.execPath, place.path('bun'));
  const run = await place.run(['compare', '--git', 'HEAD'], { PATH: place.folder });
  await expectOneLine(run, place, 'There is no git on this machine');
});

caseOf('a server that fails: the end of its stderr; and of an optional one nothing is left', async (place) => {
  const suite = place.suite({ a: HI });
  place.write('a.ts', "throw new Error('boom');");
  await expectOneLine(await place.run([...SHORT, '--suite', suite]), place, 'Scenario a did not start', 'boom');
  const scenarios = [{ name: 'a', command: ['no-such-program'], optional: true }];
  const run = await place.run([...SHORT, '--suite', place.suite({ a: HI }, { scenarios })]);
  await expectOneLine(run, place, 'Scenario a has no program "no-such-program" here');
});

const TOOLS: [what: string, script: string | undefined, words: string[]][] = [
  ['is missing: no other takes its place', undefined, ['no bombardier on this machine', '$BOMBARDIER']],
  ['crashes', 'echo out of files >&2; exit 4', ['ended with status 4', 'out of files']],
  ['prints something unexpected', 'echo hello', ['No load came of bombardier', 'printed no result', 'said: hello']],
  ['prints nothing', '', ['printed no result that can be read; it said: nothing']],
];
for (const [what, script, words] of TOOLS)
  caseOf(`a load tool that ${what}`, async (place) => {
    const BOMBARDIER = script === undefined ? '/nope/tool' : place.bombardier(script);
    const run = await place.run([...SHORT, '--suite', place.suite({ a: HI })], { BOMBARDIER });
    await expectOneLine(run, place, ...words);
    expect(existsSync(place.path('out.json'))).toBe(false);
  });
