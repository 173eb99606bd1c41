// Two revisions of a repository, measured against each other.
import { expect, test } from 'bun:test';
import { mkdirSync, readdirSync } from 'node:fs';
import { readResult } from '../harness/result/file.ts';
import { HI, LIMIT_MS, SHORTEST, server, tableIn, Workplace } from './bench.ts';

const PAIRS = ['--pairs', '3', '--duration', '3s'];
const SLOW = `for (const end = performance.now() + 2; performance.now() < end; ); ${HI}`;

/** A repository with a commit for each of these sources of a server, the last one checked out. */
function repository(...handlers: string[]) {
  const place = new Workplace();
  const git = (...args: string[]) => {
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@localhost'];
    const run = Bun.spawnSync(['git', ...identity, ...args], { cwd: place.folder });
    expect({ args, error: run.exitCode === 0 ? '' : run.stderr.toString() }).toEqual({ args, error: '' });
    return run.stdout.toString().trim();
  };
  git('init', '--quiet', '--initial-branch', 'main');
  mkdirSync(place.path('bench'));
  place.write('.gitignore', 'tmp\nout.json\n');
  const names = ['a', 'b'];
  const scenarios = names.map((name) => ({ name, title: `Server ${name}`, command: ['bun', `${name}.ts`] }));
  const suite = { name: 'bench', cwd: '..', answer: { body: 'Hi' }, baseline: 'a', scenarios };
  place.write('bench/suite.json', JSON.stringify(suite));
  for (const handler of handlers) {
    place.write('a.ts', server(HI));
    place.write('b.ts', server(handler));
    git('add', '.');
    git('commit', '--quiet', '--allow-empty', '--message', handler);
  }
  return { place, git };
}

test(
  'a change between two commits is found and fails the gate, what did not change is not, and no checkout stays',
  async () => {
    const { place, git } = repository(HI, SLOW);
    await using _ = place;
    const args = ['--git', 'HEAD~1', '--suite', 'bench/suite.json', '--fail-above', '50%'];
    const run = await place.run(['compare', ...args, ...SHORTEST, ...PAIRS, '--duet-slices', '1']);
    const { headings, rows } = tableIn(run.stdout);
    expect(headings.slice(0, 5)).toEqual(['Scenario', 'Cost', 'Old', 'New', 'Change']);
    expect(Object.keys(rows)).toEqual(['Server a', 'Server b']);
    expect(rows['Server b']?.at(-1)).toBe('worse, above 50 %');
    expect(rows['Server a']?.at(-1)).not.toContain('above');
    expect(run.stdout).toContain('1 of 2 intervals');
    expect(run.status).toBe(1);
    const again = await place.run(['compare', 'out.json', '--fail-above', '50%']);
    expect(again).toMatchObject({ status: 1, stdout: run.stdout });
    const { suite, pairs } = readResult(place.path('out.json'));
    expect(suite.tasks.map(({ baseline, scenarios }) => [baseline, ...scenarios])).toEqual([
      ['a.old', 'a.new'],
      ['b.old', 'b.new'],
    ]);
    expect(suite.scenarios[0]?.title).toBe(`HEAD~1 (${git('rev-parse', '--short', 'HEAD~1')})`);
    expect(pairs).toHaveLength(6);
    expect(git('worktree', 'list').split('\n')).toHaveLength(1);
    expect(git('status', '--porcelain')).toBe('');
    await place.end();
    expect(readdirSync(place.temporary)).toEqual([]);
  },
  LIMIT_MS,
);

test('the commands of a dry run start each revision in its own checkout; what is not committed is told', async () => {
  const { place } = repository(HI, HI);
  await using _ = place;
  place.write('a.ts', 'changed');
  const run = await place.run(['compare', '--git', 'HEAD~1', '--suite', 'bench/suite.json', '--dry-run']);
  expect(run).toMatchObject({ status: 0, stderr: 'tracetax: Uncommitted changes are not measured; HEAD is.\n' });
  const started = [...run.stdout.matchAll(/^\(cd \S+\/(old|new) && .* bun (\w)\.ts\)$/gm)];
  expect(started.map(([, side, name]) => `${side} ${name}`)).toEqual(['old a', 'new a', 'old b', 'new b']);
});

test.each([
  [
    'a revision that is none',
    ['--git', 'nowhere', '--suite', 'bench/suite.json'],
    /git rev-parse .*nowhere.* failed: /,
  ],
  [
    'a suite that is not there yet',
    ['--git', 'HEAD', '--suite', 'suite.json'],
    /has no suite suite\.json\. Commit it first/,
  ],
])('%s is refused in one line', async (_what, args, message) => {
  const { place, git } = repository(HI);
  await using _ = place;
  place.suite({ a: HI });
  const run = await place.run(['compare', ...args]);
  expect(run).toMatchObject({ status: 2, stdout: '' });
  expect(run.stderr.trim().split('\n').at(-1)).toMatch(message);
  expect(git('worktree', 'list').split('\n')).toHaveLength(1);
});

test(
  'two versions of a package are measured, each in a copy of the project',
  async () => {
    await using place = new Workplace();
    const versions = ['1.0.0', '2.0.0'].map((version) => {
      mkdirSync(place.path(version));
      place.write(
        `${version}/package.json`,
        JSON.stringify({ name: 'said', version, type: 'module', main: 'index.js' }),
      );
      place.write(`${version}/index.js`, `export const said = '${version}';`);
      return `said@file:${place.path(version)}`;
    });
    mkdirSync(place.path('project'));
    place.write('project/package.json', JSON.stringify({ dependencies: { said: 'file:../1.0.0' } }));
    place.write('project/bun.lock', '{ "lockfileVersion": 1, "workspaces": { "": {} }, "packages": {} }');
    place.write('project/a.ts', `import { said } from 'said';\n${server('return new Response(said)')}`);
    const suite = { name: 'x', baseline: 'a', scenarios: [{ name: 'a', command: ['bun', 'a.ts'] }] };
    place.write('project/suite.json', JSON.stringify(suite));
    const args = ['compare', '--suite', 'project/suite.json', ...SHORTEST];
    expect(await place.run([...args, '--package', ...versions])).toMatchObject({ status: 0 });
    const { suite: measured } = readResult(place.path('out.json'));
    expect(measured.scenarios.map(({ title }) => title)).toEqual(['said 1.0.0', 'said 2.0.0']);
    const refused = await place.run([...args, '--package', 'said@1', 'other@2']);
    expect(refused).toMatchObject({ status: 2, stderr: expect.stringContaining('two versions of one package') });
    await place.end();
  },
  LIMIT_MS,
);
