// What a gate compares, and what a run leaves: folders of cases/, after public reports.
import { describe, expect } from 'bun:test';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { caseOf, HI, SHORT, SHORTEST } from './bench.ts';

describe('what is compared, kept and left', () => {
  caseOf('other-request: results are not compared, unless that is forced', async (place) => {
    place.copy('other-request');
    const measured = (name: string) =>
      place.run([
        ...SHORTEST,
        '--no-keep-awake',
        ...['--scenarios', 'on', '--suite', `./${name}.json`, '--out', `out-${name}.json`],
      ]);
    for (const { status } of await Promise.all(['a', 'b'].map(measured))) expect(status).toBe(0);
    const gate = ['compare', 'out-a.json', 'out-b.json', '--fail-above', '1000%', '--allow-missing'];
    const sent = String.raw`requests of default: GET /small \(digests \w+, \w+\) / GET /big \(digests \w+, \w+\)`;
    expect(await place.run(gate)).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(`^tracetax: These results can't be compared \\(old / new\\): ${sent}\\. Use --force.*\\n$`),
      ),
    });
    const { status, stdout } = await place.run(['compare', 'out-a.json', 'out-b.json', '--force']);
    expect(status).toBe(0);
    expect(stdout).toMatch(new RegExp(`^- ${sent}`, 'm'));
    expect(await place.run(['compare', 'out-a.json', 'out-a.json'])).toMatchObject({ status: 0, stderr: '' });
  });

  caseOf(
    'other-request, ratio-of-differences: of revisions what changed is said, and totals are exported',
    async (place) => {
      place.copy('other-request');
      place.write('.gitignore', 'tmp\n*out.json\n');
      const git = (...args: string[]) => {
        const argv = ['git', '-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args];
        return Bun.spawnSync(argv, { cwd: place.folder }).stdout.toString().trim();
      };
      git('init', '--quiet');
      for (const name of ['a', 'b']) {
        place.write('suite.json', readFileSync(place.path(`${name}.json`), 'utf8'));
        git('add', '.');
        git('commit', '--quiet', '--message', name);
      }
      // A tag with the name by which the old one is known.
      const old = git('rev-parse', '--short', 'HEAD~1');
      git('tag', old, 'HEAD');
      const args = ['compare', '--suite', './suite.json', '--scenarios', 'on', ...SHORT];
      const refused = await place.run([...args, '--git', old, '--dry-run']);
      expect(refused).toMatchObject({ status: 2, stdout: '' });
      expect(refused.stderr).toContain(`tracetax: ${old} is a name, and a short hash, too. Write refs/tags/${old}, or`);
      const { stdout, status } = await place.run([...args, '--git', 'HEAD~1']);
      expect(status).toBe(0);
      expect(stdout).toMatch(
        /- Both got the requests of HEAD for default: GET \/big \(digests .*; before: GET \/small \(digests/,
      );
      const entries = JSON.parse(
        (await place.run(['report', 'out.json', '--format', 'github-action-benchmark'])).stdout,
      );
      expect(entries.map(({ name }: { name: string }) => name)).toEqual(
        ['old', 'new'].flatMap((side) =>
          ['server CPU per request', 'mean latency'].map((what) => `gate/on/on.${side}, ${what}`),
        ),
      );
      // What a request takes: it spins for half a millisecond.
      for (const { value, unit } of entries) expect(value).toBeGreaterThan(unit === 'µs' ? 300 : 0.3);
    },
  );

  caseOf('secrets: of headers, query, body and answer nothing is kept', async (place) => {
    const request = {
      method: 'POST',
      path: '/a?token=secret-of-query',
      headers: { authorization: 'Bearer secret-of-header' },
      body: '{"key":"secret-of-body"}',
    };
    const said = "[request.url, request.headers.get('authorization'), await request.text()].join()";
    const echo = `if ((state.count = (state.count ?? 0) + 1) > 20) return new Response('secret-of-answer' + ${said}); ${HI}`;
    const suite = place.suite({ a: HI, b: echo }, { request });
    const run = await place.measure([...SHORTEST, '--suite', suite]);
    expect(run.outcome.faults).toContainEqual(expect.objectContaining({ what: 'wrong answer afterwards' }));
    // A load tool that quotes what it was told.
    place.bombardier('echo "no $*" >&2; exit 1');
    const env = { BOMBARDIER: place.path('bombardier') };
    const failed = await place.run([...SHORTEST, '--suite', suite, '--tool', 'bombardier', '--out', 'x.json'], env);
    expect(failed.stderr).toContain('secret-of-header');
    await place.run(['report', 'out.json', '--html', 'out.html']);
    const full = await place.run(['report', 'out.json', '--format', 'full']);
    const json = await place.run(['report', 'out.json', '--format', 'json']);
    const kept = ['out.json', 'out.html'].map((name) => readFileSync(place.path(name), 'utf8'));
    for (const text of [...kept, full.stdout, json.stdout]) {
      expect(text).not.toContain('secret-of');
      expect(text).toContain('/a?');
    }
    expect(statSync(place.path('out.json')).mode & 0o777).toBe(0o600);
  });

  caseOf('two runs in one second are two results', async (place) => {
    const suite = place.suite({ a: HI });
    const [, , ...short] = SHORTEST;
    const runs = [1, 2, 3].map(() => place.run([...short, '--suite', suite]));
    for (const { status } of await Promise.all(runs)) expect(status).toBe(0);
    expect(readdirSync(place.path('results'))).toHaveLength(3);
  });

  caseOf('a folder that is gone, or no longer one, is told in one line', async (place) => {
    const fs = "const { rmSync, writeFileSync } = require('fs'); ";
    const spoil = (path: string) =>
      `rmSync('${path}', { recursive: true, force: true }); writeFileSync('${path}', '');`;
    for (const path of [place.path('sub'), place.temporary]) {
      const suite = place.suite({ a: `${fs}${spoil(path)} ${HI}` });
      const { status, stderr } = await place.run([...SHORTEST, '--suite', suite, '--out', 'sub/out.json']);
      expect(stderr).not.toMatch(/^\s+at /m);
      expect(stderr).toMatch(/^tracetax: .*(ENOTDIR|ENOENT|EEXIST).*\.$/m);
      expect(status).not.toBe(0);
    }
    await place.end();
  });
});
