// Faults that make a number wrong, built into a real run that must catch them. Others are caught in
// the tests of proofs (a tracer left on), of servers (a stale one on the port), of load tools
// (throughput, units), of pairs and of warnings.
import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { planPinning } from '../../harness/machine/pinning.ts';
import { HI } from '../../harness/testing/sources.ts';
import { parseTable } from '../support/results.ts';
import { SHORT_RUN, SHORTEST_RUN } from '../support/short-runs.ts';
import { testAlone, testConcurrently } from '../support/workplace.ts';

testConcurrently(
  'servers that die, answer errors, turn wrong, or write much; and no secret is kept',
  async (place) => {
    const path = '/a?token=secret-of-query';
    const request = {
      method: 'POST',
      path,
      headers: { authorization: 'secret-of-header' },
      body: 'secret-of-body',
    };
    const said = "[request.url, request.headers.get('authorization'), await request.text()].join()";
    const handlers = {
      base: HI,
      dies: `state.n = (state.n ?? 0) + 1; if (state.n > 5) { console.error('no memory left'); process.exit(9); } ${HI}`,
      errors: `state.n = (state.n ?? 0) + 1; return new Response('Hi', { status: state.n % 10 ? 200 : 500 })`,
      turns: `if ((state.n = (state.n ?? 0) + 1) > 5) return new Response('secret-of-answer' + ${said}); ${HI}`,
      // Its output goes to a file: a pipe would be full after 64 KiB.
      chatty: `console.log('x'.repeat(20_000)); ${HI}`,
    };
    const args = [...SHORT_RUN, '--suite', place.suite(handlers, { request })];
    const { status, stdout, result, out } = await place.measure(args);
    expect(status).toBe(1);
    const { rows } = parseTable(stdout);
    expect([rows.dies, rows.errors]).toEqual([Array(3).fill('invalid'), Array(3).fill('invalid')]);
    for (const label of ['base', 'chatty', 'Baseline against itself'])
      expect(rows[label]?.[0]).toMatch(/\d ms/);
    const faults = (name: string) => result.pairs.find(({ scenario }) => scenario === name)?.faults;
    expect(faults('dies')).toContainEqual({
      kind: 'server-ended',
      what: 'the server ended',
      detail: expect.stringMatching(/status 9.*no memory left/s),
      scenario: 'dies',
      slice: { kind: 'alternating', number: 1 },
      count: 1,
    });
    expect(faults('errors')).toContainEqual(
      expect.objectContaining({ what: 'requests failed', scenario: 'errors' }),
    );
    expect(faults('turns')).toContainEqual(
      expect.objectContaining({ what: 'wrong answer under load' }),
    );
    const file = readFileSync(out, 'utf8');
    expect(file).toContain('/a?');
    expect(file + stdout).not.toContain('secret-of');
    expect(faults('chatty')).toEqual([]);
    const chatty = result.pairs.find(({ scenario }) => scenario === 'chatty');
    expect(chatty?.alternating[0]?.scenario.requests).toBeGreaterThan(4);
  },
);

testConcurrently('a server that dies while it is soaked', async (place) => {
  const dies = `state.n = (state.n ?? 0) + 1; if (state.n > 60) { console.error('no memory left'); process.exit(9); } ${HI}`;
  const args = [
    '--suite',
    place.suite({ base: HI, dies }),
    '--for',
    '30s',
    '--rate',
    '50',
    '--connections',
    '4',
  ];
  const { status, stdout, stderr } = await place.run(['soak', 'dies', ...args]);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(
    /^tracetax: Scenario dies ended under load: with status 9; it said: no memory left/m,
  );
});

testConcurrently('a folder that is gone, or no longer one, is told in one line', async (place) => {
  const fs = "const { rmSync, writeFileSync } = require('fs'); ";
  // The run may write into the folder while it is being removed: then it is removed again.
  const spoil = (path: string) =>
    `for (;;) try { rmSync('${path}', { recursive: true, force: true }); writeFileSync('${path}', ''); break; } catch {}`;
  for (const path of [place.path('sub'), place.temporary]) {
    const suite = place.suite({ a: `${fs}${spoil(path)} ${HI}` });
    const { status, stderr } = await place.run([
      ...SHORTEST_RUN,
      '--suite',
      suite,
      '--out',
      'sub/out.json',
    ]);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stderr).toMatch(/^tracetax: .*(ENOTDIR|ENOENT|EEXIST).*\.$/m);
    expect(status).not.toBe(0);
  }
  await place.waitForEnd();
});

testAlone('a weak load tool, and a stolen core', async (place) => {
  const tool = place.bombardier('exec bombardier -r 50 "$@"');
  const args = [...SHORT_RUN, '--suite', place.suite({ base: HI }), '--format', 'full'];
  const pinning = planPinning(true);
  const core = 'missing' in pinning ? '0' : pinning.serverCore;
  const thief = Bun.spawn([
    'taskset',
    '-c',
    core,
    'sh',
    '-c',
    'ulimit -t 300; while :; do :; done',
  ]);
  try {
    const { stdout, warnings } = await place.measure(args, { BOMBARDIER: tool });
    expect(warnings).toEqual(expect.arrayContaining(['load-tool', 'busy-machine']));
    expect(stdout).toMatch(/^- .*a tenth of the server's core/m);
  } finally {
    thief.kill('SIGKILL');
    await thief.exited;
  }
});
