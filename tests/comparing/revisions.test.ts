// Two revisions of a repository, measured against each other.
import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { readResult } from '../../harness/result/file.ts';
import { HI, ON_NODE, server } from '../../harness/testing/sources.ts';
import { parseTable } from '../support/results.ts';
import { SHORTEST_RUN } from '../support/short-runs.ts';
import { testAlone, testConcurrently, Workplace } from '../support/workplace.ts';

const PAIRS = ['--pairs', '3', '--duration', '3s'];
/** Takes 2 ms of CPU time, whatever else runs on the machine. */
const SLOW = `const used = () => process.cpuUsage().user + process.cpuUsage().system;
  for (const end = used() + 2_000; used() < end; ); ${HI}`;
const OF_BENCH = ['compare', '--suite', 'bench/suite.json', '--git'];

/** Commits of these files in turn, the last one checked out. */
function commit(place: Workplace, ...files: Record<string, string | object>[]) {
  place.git('init', '--quiet');
  place.write('.gitignore', 'tmp\nout.json\ndist\nlocal.env\n');
  for (const each of files) {
    for (const [name, content] of Object.entries(each)) place.write(name, content);
    place.git('add', '.');
    place.git('commit', '--quiet', '--allow-empty', '--message', 'x');
  }
}

/**
 * A repository with a commit for each of these sources of the server `b`, and requests for `/0`,
 * `/1` and so on.
 */
function commitServers(place: Workplace, ...handlers: string[]) {
  const scenarios = ['a', 'b'].map((name) => ({
    name,
    title: `Server ${name}`,
    command: ['bun', `${name}.ts`],
  }));
  const suite = { name: 'bench', cwd: '..', answer: { body: 'Hi' }, baseline: 'a', scenarios };
  const filesOf = (handler: string, index: number) => {
    const at = { ...suite, request: { path: `/${index}` } };
    return { 'bench/suite.json': at, 'a.ts': server(HI), 'b.ts': server(handler) };
  };
  commit(place, ...handlers.map(filesOf));
}

const checkouts = (place: Workplace) => place.git('worktree', 'list').split('\n').length;

testAlone(
  'a change between two commits is found and fails the gate, what did not change is not',
  async (place) => {
    commitServers(place, HI, SLOW);
    // On a busy machine, three pairs may know what did not change to no better than 50 %.
    const gate = ['--fail-above', '200%'];
    const run = await place.run([
      ...OF_BENCH,
      'HEAD~1',
      ...gate,
      ...SHORTEST_RUN,
      ...PAIRS,
      '--duet-slices',
      '1',
      // Cold baselines differ by a factor of two, and then three pairs know nothing.
      '--warmup',
      '2s',
    ]);
    const { headings, rows } = parseTable(run.stdout);
    expect(headings.slice(0, 4)).toEqual(['Scenario', 'Old', 'New', 'Change']);
    expect(Object.keys(rows)).toEqual(['Server a', 'Server b']);
    expect(rows['Server b']?.at(-1)).toBe('worse, above 200 %');
    expect(rows['Server a']?.at(-1)).not.toContain('above');
    expect(run.stdout).toContain('1 of 2 rows');
    expect(run.stdout).toContain(
      '- Both got the requests of HEAD for default: request.0.path was "/0", and is "/1"; ',
    );
    expect(run.status).toBe(1);
    const again = await place.run(['compare', 'out.json', ...gate]);
    expect(again).toMatchObject({ status: 1, stdout: run.stdout });
    const exported = await place.run(['report', 'out.json', '--format', 'github-action-benchmark']);
    const totals: { name: string; value: number }[] = JSON.parse(exported.stdout);
    const names = ['a', 'b'].flatMap((name) =>
      ['old', 'new'].map((side) => `bench/${name}/${name}.${side}`),
    );
    const both = names.flatMap((name) => [
      `${name}, server CPU per request`,
      `${name}, mean latency`,
    ]);
    expect(totals.map(({ name }) => name)).toEqual(both);
    expect(totals.at(-2)?.value).toBeGreaterThan(2_000);
    const { suite, pairs } = readResult(place.path('out.json'));
    const servers = suite.tasks.map(({ baseline, scenarios }) => [baseline, ...scenarios].join());
    expect(servers).toEqual(['a.old,a.new', 'b.old,b.new']);
    expect(suite.scenarios[0]?.title).toBe(
      `HEAD~1 (${place.git('rev-parse', '--short', 'HEAD~1')})`,
    );
    expect(pairs).toHaveLength(6);
    expect(checkouts(place)).toBe(1);
    expect(place.git('status', '--porcelain')).toBe('');
    await place.waitForEnd();
    expect(readdirSync(place.temporary)).toEqual([]);
  },
);

test('a dry run starts each revision in its own checkout; what is no revision or suite is refused', async () => {
  await using place = new Workplace();
  commitServers(place, HI, HI);
  place.write('a.ts', 'changed');
  const run = await place.run([...OF_BENCH, 'HEAD~1', '--dry-run']);
  expect(run).toMatchObject({
    status: 0,
    stderr: 'tracetax: Uncommitted changes are not measured; HEAD is.\n',
  });
  const started = [...run.stdout.matchAll(/^\(cd \S+\/(old|new)\/\S+ && .* bun (\w)\.ts\)$/gm)];
  expect(started.map(([, side, name]) => `${side} ${name}`)).toEqual([
    'old a',
    'new a',
    'old b',
    'new b',
  ]);
  place.suite({ a: HI });
  const refused = async (...args: string[]) => {
    const run = await place.run(args);
    expect(run).toMatchObject({ status: 2, stdout: '' });
    return run.stderr.trim().split('\n').at(-1);
  };
  expect(await refused(...OF_BENCH, 'nowhere')).toMatch(/git rev-parse .*nowhere.* failed: /);
  expect(await refused(...OF_BENCH, 'HEAD', '--fail-above', '2%')).toContain('HEAD is HEAD itself');
  // A tag with the name by which the old one is known.
  const old = place.git('rev-parse', '--short', 'HEAD~1');
  place.git('tag', old, 'HEAD');
  expect(await refused(...OF_BENCH, old)).toContain(
    `${old} is a name, and a short hash, too. Write refs/tags/${old}, or`,
  );
  const uncommitted = await refused('compare', '--git', 'HEAD~1', '--suite', 'suite.json');
  expect(uncommitted).toMatch(/has no suite suite\.json\. Commit it first/);
  expect(checkouts(place)).toBe(1);
});

testConcurrently(
  'each checkout is built and has its files, also one from before the suite said how',
  async (place) => {
    const suite = {
      name: 'built',
      cwd: '..',
      baseline: 'a',
      scenarios: [{ name: 'a', command: ['node', 'dist/a.js'] }],
    };
    const build = [
      'sh',
      '-c',
      '! git ls-files --error-unmatch local.env && cat local.env && mkdir dist && cp a.js dist',
    ];
    place.write('local.env', '');
    const revisions = [suite, { ...suite, files: ['../local.env'], prepare: [build] }];
    commit(place, ...revisions.map((each) => ({ 'a.js': ON_NODE, 'bench/suite.json': each })));
    expect(await place.run([...OF_BENCH, 'HEAD~1', ...SHORTEST_RUN])).toMatchObject({ status: 0 });
    await place.waitForEnd();
  },
);

testConcurrently(
  'two versions of a package are measured, each in a copy of the project',
  async (place) => {
    const versions = ['1.0.0', '2.0.0'].map((version) => {
      place.write(`${version}/package.json`, {
        name: 'said',
        version,
        type: 'module',
        main: 'index.js',
      });
      place.write(`${version}/index.js`, `export const said = '${version}';`);
      return `said@file:${place.path(version)}`;
    });
    place.write('project/package.json', { dependencies: { said: `file:${place.path('1.0.0')}` } });
    place.write(
      'project/bun.lock',
      '{ "lockfileVersion": 1, "workspaces": { "": {} }, "packages": {} }',
    );
    place.write(
      'project/a.ts',
      `import { said } from 'said';\n${server('return new Response(said)')}`,
    );
    const suite = {
      name: 'x',
      baseline: 'a',
      scenarios: [{ name: 'a', command: ['bun', 'a.ts'] }],
    };
    place.write('project/suite.json', suite);
    const args = ['compare', '--suite', 'project/suite.json', ...SHORTEST_RUN];
    expect(await place.run([...args, '--package', ...versions])).toMatchObject({ status: 0 });
    const { scenarios } = readResult(place.path('out.json')).suite;
    expect(scenarios.map(({ title }) => title)).toEqual(
      ['1.0.0', '2.0.0'].map((version) => `said ${version} (${place.path(version)})`),
    );
    const refused = await place.run([...args, '--package', 'said@1', 'other@2']);
    expect(refused).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('two versions of one package'),
    });
    const unused = await place.run([...args, '--package', 'nobodys@1', 'nobodys@2']);
    expect(unused).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('the servers find none'),
    });
    await place.waitForEnd();
  },
);
