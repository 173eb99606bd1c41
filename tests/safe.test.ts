// What a gate compares, and what a run leaves: after public reports.
import { expect } from 'bun:test';
import { readFileSync, statSync } from 'node:fs';
import { caseOf, HI, SHORT, SHORTEST } from './bench.ts';

/** A suite whose request this is. Of `/big`, a request takes half a millisecond of CPU. */
function spinning(path: string): string {
  const server = `require('node:http').createServer((request, response) => {
    const end = performance.now() + (request.url === '/big' ? 0.4 : 0.02) + Number(process.env.WORK ?? 0);
    while (performance.now() < end);
    response.end('Hi');
  }).listen(process.env.PORT, '127.0.0.1')`;
  const off = { name: 'off', command: ['node', '-e', server] };
  const scenarios = [off, { ...off, name: 'on', env: { WORK: '0.1' } }];
  return JSON.stringify({ name: 'gate', baseline: 'off', request: { path }, scenarios });
}

caseOf('of revisions it is said what changed, and totals are exported', async (place) => {
  place.write('.gitignore', 'tmp\n*out.json\n');
  place.git('init', '--quiet');
  for (const path of ['/small', '/big']) {
    place.write('suite.json', spinning(path));
    place.git('add', '.');
    place.git('commit', '--quiet', '--message', path);
  }
  // A tag with the name by which the old one is known.
  const old = place.git('rev-parse', '--short', 'HEAD~1');
  place.git('tag', old, 'HEAD');
  const args = ['compare', '--suite', './suite.json', '--scenarios', 'on', ...SHORT];
  const refused = await place.run([...args, '--git', old, '--dry-run']);
  expect(refused).toMatchObject({ status: 2, stdout: '' });
  expect(refused.stderr).toContain(`tracetax: ${old} is a name, and a short hash, too. Write refs/tags/${old}, or`);
  const { stdout, status } = await place.run([...args, '--git', 'HEAD~1']);
  expect(status).toBe(0);
  expect(stdout).toMatch(/- Both got the requests of HEAD for default: request.0.path was "\/small", and is "\/big"; /);
  const exported = await place.run(['report', 'out.json', '--format', 'github-action-benchmark']);
  const entries: { name: string; value: number; unit: string }[] = JSON.parse(exported.stdout);
  const totals = ['server CPU per request', 'mean latency'];
  const names = ['old', 'new'].flatMap((side) => totals.map((what) => `gate/on/on.${side}, ${what}`));
  expect(entries.map(({ name }) => name)).toEqual(names);
  for (const { value, unit } of entries) expect(value).toBeGreaterThan(unit === 'µs' ? 300 : 0.3);
});

caseOf('secrets: of headers, query, body and answer nothing is kept', async (place) => {
  const request = {
    method: 'POST',
    path: '/a?token=secret-of-query',
    headers: { authorization: 'Bearer secret-of-header' },
    body: '{"key":"secret-of-body"}',
  };
  const said = "[request.url, request.headers.get('authorization'), await request.text()].join()";
  const echo = `return new Response('secret-of-answer' + ${said})`;
  const wrong = `if ((state.count = (state.count ?? 0) + 1) > 20) ${echo}; ${HI}`;
  const suite = place.suite({ a: HI, b: wrong }, { request });
  const run = await place.measure([...SHORTEST, '--suite', suite, '--format', 'json']);
  expect(run.outcome.faults).toContainEqual(expect.objectContaining({ what: 'wrong answer afterwards' }));
  // A load tool that quotes what it was told.
  const env = { BOMBARDIER: place.bombardier('echo "no $*" >&2; exit 1') };
  const failed = await place.run([...SHORTEST, '--suite', suite, '--tool', 'bombardier', '--out', 'x.json'], env);
  expect(failed.stderr).toContain('secret-of-header');
  for (const text of [readFileSync(run.out, 'utf8'), run.stdout]) {
    expect(text).not.toContain('secret-of');
    expect(text).toContain('/a?');
  }
  expect(statSync(run.out).mode & 0o777).toBe(0o600);
});

caseOf('a folder that is gone, or no longer one, is told in one line', async (place) => {
  const fs = "const { rmSync, writeFileSync } = require('fs'); ";
  const spoil = (path: string) => `rmSync('${path}', { recursive: true, force: true }); writeFileSync('${path}', '');`;
  for (const path of [place.path('sub'), place.temporary]) {
    const suite = place.suite({ a: `${fs}${spoil(path)} ${HI}` });
    const { status, stderr } = await place.run([...SHORTEST, '--suite', suite, '--out', 'sub/out.json']);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stderr).toMatch(/^tracetax: .*(ENOTDIR|ENOENT|EEXIST).*\.$/m);
    expect(status).not.toBe(0);
  }
  await place.end();
});
