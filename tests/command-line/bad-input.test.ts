// What a user gets wrong, or lacks: one line says it, and nothing is left behind. What a part says
// of it is tested there.
import { expect } from 'bun:test';
import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { HI } from '../../harness/testing/sources.ts';
import { SHORT_RUN } from '../support/short-runs.ts';
import { testConcurrently } from '../support/workplace.ts';

/** A run of one server by a load tool that does what `$TOOL` says. */
const RUN = [...SHORT_RUN, '--suite', 'suite.json'];
const WRONG_FIELDS = '{"name":"x","scenarios":[{"command":"a"}]}';
const BAD: [
  words: string[],
  args: string[],
  files?: Record<string, string>,
  env?: Record<string, string>,
][] = [
  [['no suite ./nope.json'], ['--suite', './nope.json']],
  [
    ['There is no suite nope', 'levels'],
    ['--suite', 'nope'],
  ],
  [
    ['no scenario "nope"', 'trace-active'],
    ['--scenarios', 'nope'],
  ],
  [
    ['a.ts exists already', '--out'],
    [...RUN, '--out', 'a.ts'],
  ],
  [['nurse'], ['nurse']],
  [["can't be read"], RUN, { 'suite.json': '{' }],
  [['baseline', 'scenarios[0].command'], RUN, { 'suite.json': WRONG_FIELDS }],
  [['ends the process'], ['--suite', './x.ts'], { 'x.ts': 'process.exit();' }],
  [['temporary files', '/nope'], RUN, {}, { TMPDIR: '/nope' }],
  // A terminal would obey it.
  [['is not a result'], ['report', 'x.json'], { 'x.json': '\u001b[2J\u009b' }],
  [['There is no git on this machine'], ['compare', '--git', 'HEAD'], {}, { PATH: '.' }],
  [
    ['Scenario a did not start', 'boom'],
    RUN,
    { 'a.ts': "throw new Error('boom');" },
    { BOMBARDIER: '' },
  ],
  [['no bombardier on this machine', '$BOMBARDIER'], RUN, {}, { BOMBARDIER: '/nope/tool' }],
  [['ended with status 4', 'out of files'], RUN, {}, { TOOL: 'echo out of files >&2; exit 4' }],
  [
    ['No load came of bombardier', 'printed no result', 'said: hello'],
    RUN,
    {},
    { TOOL: 'echo hello' },
  ],
  [['printed no result that can be read; it said: nothing'], RUN, {}, { TOOL: '' }],
];
for (const [words, args, files = {}, env = {}] of BAD)
  testConcurrently(words.join(', '), async (place) => {
    place.suite({ a: HI });
    symlinkSync(process.execPath, place.path('bun'));
    for (const [name, content] of Object.entries(files)) place.write(name, content);
    const BOMBARDIER = place.bombardier('eval "$TOOL"');
    const { status, stderr } = await place.run(args, { BOMBARDIER, ...env });
    expect(status).toBeGreaterThan(0);
    const lines = stderr.split('\n').filter((line) => /^(tracetax|error): /.test(line));
    expect(lines.length).toBe(1);
    for (const word of words) expect(lines[0]).toContain(word);
    expect(stderr).not.toMatch(/^\s+at |(?!\n)\p{Cc}/mu);
    expect(existsSync(place.path('out.json'))).toBe(false);
    await place.waitForEnd();
    expect(readdirSync(place.temporary)).toEqual([]);
  });
