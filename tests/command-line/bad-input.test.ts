// What a user gets wrong, or lacks: one line says it, and nothing is left behind. What a part says
// of it is tested there.
import { expect } from 'bun:test';
import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { HI } from '../../harness/testing/sources.ts';
import { SHORT_RUN } from '../support/short-runs.ts';
import { testConcurrently } from '../support/workplace.ts';

/** A run of one server by a load tool that does what `$TOOL` says. */
const RUN = [...SHORT_RUN, '--suite', 'suite.json'];
/** What a user gets wrong, or lacks. */
interface BadInput {
  /** What the one line says. */
  said: string[];
  args: string[];
  files?: Record<string, string>;
  env?: Record<string, string>;
}

// What shows before anything is started is tested in harness/command-line/bad-input.test.ts.
const BAD: BadInput[] = [
  { said: ['nurse'], args: ['nurse'] },
  {
    said: ['ends the process'],
    args: ['--suite', './x.ts'],
    files: { 'x.ts': 'process.exit();' },
  },
  { said: ['temporary files', '/nope'], args: RUN, env: { TMPDIR: '/nope' } },
  {
    // A terminal would obey it.
    said: ['is not a result'],
    args: ['report', 'x.json'],
    files: { 'x.json': '\u001b[2J\u009b' },
  },
  {
    said: ['There is no git on this machine'],
    args: ['compare', '--git', 'HEAD'],
    env: { PATH: '.' },
  },
  {
    said: ['Scenario a did not start', 'boom'],
    args: RUN,
    files: { 'a.ts': "throw new Error('boom');" },
    env: { BOMBARDIER: '' },
  },
  {
    said: ['no bombardier on this machine', '$BOMBARDIER'],
    args: RUN,
    env: { BOMBARDIER: '/nope/tool' },
  },
  {
    said: ['ended with status 4', 'out of files'],
    args: RUN,
    env: { TOOL: 'echo out of files >&2; exit 4' },
  },
  {
    said: ['No load came of bombardier', 'printed no result', 'said: hello'],
    args: RUN,
    env: { TOOL: 'echo hello' },
  },
  {
    said: ['printed no result that can be read; it said: nothing'],
    args: RUN,
    env: { TOOL: '' },
  },
];

for (const { said, args, files = {}, env = {} } of BAD)
  testConcurrently(said.join(', '), async (place) => {
    place.suite({ a: HI });
    symlinkSync(process.execPath, place.path('bun'));
    for (const [name, content] of Object.entries(files)) place.write(name, content);
    const BOMBARDIER = place.bombardier('eval "$TOOL"');
    const { status, stderr } = await place.run(args, { BOMBARDIER, ...env });
    expect(status).toBeGreaterThan(0);
    const lines = stderr.split('\n').filter((line) => /^(tracetax|error): /.test(line));
    expect(lines.length).toBe(1);
    for (const word of said) expect(lines[0]).toContain(word);
    expect(stderr).not.toMatch(/^\s+at |(?!\n)\p{Cc}/mu);
    expect(existsSync(place.path('out.json'))).toBe(false);
    await place.waitForEnd();
    expect(readdirSync(place.temporary)).toEqual([]);
  });
