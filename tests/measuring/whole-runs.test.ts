// Whole runs with a real load tool, several at a time: none of them depends on the speed of the machine.
import { expect } from 'bun:test';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { HI } from '../../harness/testing/sources.ts';
import { parseTable } from '../support/results.ts';
import { COMPLETE, ROOT, SHORT_RUN, SHORTEST_RUN } from '../support/short-runs.ts';
import { testConcurrently } from '../support/workplace.ts';

testConcurrently(
  'any command that listens on PORT, with a request of any method',
  async (place) => {
    place.write(
      'plain.mjs',
      `import http from 'node:http';
    http.createServer((request, response) => {
      let size = 0;
      request.on('data', (chunk) => { size += chunk.length; });
      request.on('end', () => response.end(String(size)));
    }).listen(Number(process.env.PORT), '127.0.0.1');`,
    );
    const shell = { name: 'sh', command: ['sh', '-c', 'bun run plain.mjs; true'] };
    const scenarios = [
      ...['node', 'bun'].map((name) => ({ name, command: [name, 'plain.mjs'] })),
      shell,
    ];
    // It begins as the option of a load tool does.
    const request = {
      method: 'POST',
      path: '/size',
      headers: { 'content-type': 'text/plain' },
      body: '--abc',
    };
    const suite = place.suite({}, { request, answer: { body: '5' }, baseline: 'node', scenarios });
    const { outcome, stdout, result, warnings } = await place.measure([
      ...SHORTEST_RUN,
      '--suite',
      suite,
    ]);
    expect(outcome).toEqual(COMPLETE);
    expect(parseTable(stdout).rows.sh?.[0]).toMatch(/^[+-]?\d.* ms/);
    const [sh] = result.pairs.filter(({ scenario }) => scenario === 'sh');
    expect(sh?.usage.scenario.probe?.mode).toBe('production');
    expect(sh?.usage.scenario.memoryBytes?.mean).toBeGreaterThan(1e7);
    expect(sh?.alternating[0]?.scenario.cpuNs).toBeGreaterThan(0);
    expect(sh?.seconds.slices).toBeGreaterThan(2);
    expect(result.suite.scenarios.map(({ runtime }) => runtime?.name ?? null)).toEqual([
      'node',
      'bun',
      null,
    ]);
    expect(warnings).toContain('mixed-runtimes');
  },
);

testConcurrently(
  'spaces in all paths, and a folder for temporary files that is too long for a socket',
  async (place) => {
    const checkout = place.path('check out');
    for (const name of ['harness', 'package.json'])
      cpSync(join(ROOT, name), join(checkout, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
    const TMPDIR = place.path('x'.repeat(80));
    mkdirSync(TMPDIR);
    const suite = place.suite(
      { base: HI },
      { request: { method: 'POST', bodyFile: 'the body.txt' } },
    );
    place.write('the body.txt', 'hello');
    const args = [...SHORTEST_RUN, '--suite', suite, '--out', place.path('the result.json')];
    const run = await place.run(args, { TMPDIR }, join(checkout, 'harness/cli.ts'));
    expect(run).toMatchObject({ status: 0 });
    expect(parseTable(run.stdout).rows['Baseline against itself']?.[0]).toMatch(/ ms/);
    expect(readdirSync(place.temporary)).toEqual([]);
  },
  'tracetax test ',
);

testConcurrently(
  'a part of what the baseline can do: the rate is found, held and said',
  async (place) => {
    const suite = place.suite({
      base: `await Bun.sleep(5); ${HI}`,
      other: `await Bun.sleep(5); ${HI}`,
    });
    const run = await place.measure([...SHORT_RUN, '--rate', '30%', '--suite', suite]);
    expect(run.outcome.stoppedBy).toBeNull();
    // A machine that is busy with something else may not hold it.
    expect(run.outcome.faults.filter(({ what }) => what !== 'rate not held')).toEqual([]);
    const [task] = run.result.suite.tasks;
    const rate = Number(task?.rate);
    expect(task?.rateShare).toBe(0.3);
    // Four connections, 5 ms and a little each.
    expect(rate).toBeWithin(40, 241);
    expect(parseTable(run.stdout).headings.slice(0, 2)).toEqual([
      'Scenario',
      'Server CPU per request',
    ]);
    expect(run.stdout).toContain(`at ${rate} requests/s (30 % of what the baseline can do)`);
    for (const { alternating, sliceSeconds } of run.result.pairs)
      for (const { baseline, late } of alternating) {
        expect(baseline.requests / (rate * sliceSeconds)).toBeWithin(late === null ? 0.98 : 0, 1.2);
      }
  },
);
