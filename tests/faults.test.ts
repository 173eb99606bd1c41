// Faults that make a number wrong, built into a real run that must catch them. Others are caught in the tests of proofs (a
// tracer left on), of servers (a stale one on the port), of load tools (throughput, units), of pairs and of warnings.
import { expect } from 'bun:test';
import { planPinning } from '../harness/machine/pinning.ts';
import { caseAlone, caseOf, HI, SHORT, tableIn } from './bench.ts';

caseOf('a server that dies under load, one that answers errors, and one that nobody reads', async (place) => {
  const suite = place.suite({
    base: HI,
    dies: `state.n = (state.n ?? 0) + 1; if (state.n > 200) { console.error('no memory left'); process.exit(9); } ${HI}`,
    errors: `state.n = (state.n ?? 0) + 1; return new Response('Hi', { status: state.n % 10 ? 200 : 500 })`,
    // Its output goes to a file: a pipe would be full after 64 KiB.
    chatty: `console.log('x'.repeat(2000)); ${HI}`,
  });
  const { status, stdout, result } = await place.measure([...SHORT, '--suite', suite]);
  expect(status).toBe(1);
  const { rows } = tableIn(stdout);
  expect([rows.dies, rows.errors]).toEqual([Array(3).fill('invalid'), Array(3).fill('invalid')]);
  for (const label of ['base', 'chatty', 'Baseline against itself']) expect(rows[label]?.[0]).toMatch(/\d ms/);
  const faults = (name: string) => result.pairs.find(({ scenario }) => scenario === name)?.faults;
  expect(faults('dies')).toContainEqual({
    what: 'the server ended',
    detail: expect.stringMatching(/status 9.*no memory left/s),
    scenario: 'dies',
    slice: { kind: 'alternating', number: 1 },
    count: 1,
  });
  expect(faults('errors')).toContainEqual(
    expect.objectContaining({ scenario: 'errors', slice: { kind: 'duet', number: 1 } }),
  );
  expect(faults('chatty')).toEqual([]);
  const chatty = result.pairs.find(({ scenario }) => scenario === 'chatty');
  expect(chatty?.alternating[0]?.scenario.requests).toBeGreaterThan(200);
});

caseOf('a server that dies while it is soaked', async (place) => {
  const dies = `state.n = (state.n ?? 0) + 1; if (state.n > 60) { console.error('no memory left'); process.exit(9); } ${HI}`;
  const args = ['--suite', place.suite({ base: HI, dies }), '--for', '30s', '--rate', '50', '--connections', '4'];
  const { status, stdout, stderr } = await place.run(['soak', 'dies', ...args]);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^tracetax: Scenario dies ended under load: with status 9; it said: no memory left/m);
});

/** Prints as bombardier does, and is busy with itself most of the time. */
const WEAK_TOOL = `
const startedAt = performance.now();
let req2xx = 0;
while (performance.now() - startedAt < 500) {
  await (await fetch(process.argv.at(-1))).text();
  req2xx++;
  const end = performance.now() + 20;
  while (performance.now() < end);
}
const none = { req1xx: 0, req3xx: 0, req4xx: 0, req5xx: 0, others: 0 };
const timeTakenSeconds = (performance.now() - startedAt) / 1_000;
const latency = { mean: 1000, max: 2000, percentiles: {} };
console.log(JSON.stringify({ result: { ...none, req2xx, timeTakenSeconds, latency } }));
`;

caseAlone('a weak load tool, and a stolen core', async (place) => {
  const tool = place.bombardier(`exec bun ${place.write('weak.ts', WEAK_TOOL)} "$@"`);
  const args = [...SHORT, '--suite', place.suite({ base: HI }), '--format', 'full'];
  const pinning = planPinning(true);
  const core = 'missing' in pinning ? '0' : pinning.serverCore;
  const thief = Bun.spawn(['taskset', '-c', core, 'sh', '-c', 'ulimit -t 120; while :; do :; done']);
  try {
    const { stdout, warnings } = await place.measure(args, { BOMBARDIER: tool });
    expect(warnings).toEqual(expect.arrayContaining(['load-tool', 'busy-machine']));
    expect(stdout).toMatch(/^- .*a tenth of the server's core/m);
  } finally {
    thief.kill('SIGKILL');
    await thief.exited;
  }
});
