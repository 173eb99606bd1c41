import { expect, spyOn, test } from 'bun:test';
import { Interruption } from '../processes/interruption.ts';
import type { ProofWorld } from '../proof/observe.ts';
import { fakeProofWorld } from '../testing/fake-proof-world.ts';
import { testFolder } from '../testing/folder.ts';
import { ScenarioProblem } from '../words/errors.ts';
import { prove } from './prove.ts';

const { write } = testFolder();

/**
 * Servers answer and record nothing, except for `ends`, which does not start, and `stopped`, with
 * which everything ends.
 */
function worldOfSilence(): ProofWorld {
  const { world } = fakeProofWorld({});
  const startServer: ProofWorld['startServer'] = (request) => {
    const { name } = request.planned;
    if (name === 'stopped') throw new Interruption('SIGINT');
    if (name === 'ends') throw new ScenarioProblem(name, 'did not start', 'no database', 'Fix it');
    return world.startServer(request);
  };
  return { ...world, startServer };
}

/** What it says of scenarios with these commands, and its exit status. */
async function proven(commands: Record<string, string[]>, optional: string[]) {
  const scenarios = Object.entries(commands).map(([name, command]) => {
    return { name, command, optional: optional.includes(name), telemetry: {} };
  });
  const file = write(`${Math.random()}.json`, {
    name: 'test',
    baseline: scenarios[0]?.name,
    scenarios,
  });
  using stdout = spyOn(process.stdout, 'write').mockReturnValue(true);
  using stderr = spyOn(process.stderr, 'write').mockReturnValue(true);
  const status = await prove(undefined, { suite: file }, worldOfSilence()).catch(String);
  return { status, stdout: stdout.mock.calls.join(''), stderr: stderr.mock.calls.join('') };
}

const GONE = ['no-such-program'];
const ENDS = ['sh'];
const GOOD = ['bun'];

test('what the others recorded is printed beside a scenario that fails, and one that is silent', async () => {
  const { status, stdout, stderr } = await proven({ gone: GONE, ends: ENDS, good: GOOD }, ['gone']);
  expect(JSON.parse(stdout)).toEqual([{ name: 'good', request: 'GET /', telemetry: {} }]);
  expect(stderr).toMatch(
    /^good, GET \/: it recorded nothing of requests: see whether its tracer is on, .*; it said: .*$/m,
  );
  expect(stderr).toMatch(
    /^Skipped: Scenario gone has no .*\ntracetax: Scenario ends did not start: .*no database.*$/m,
  );
  expect(status).toBe(1);
});

test('optional ones may fail, unless nothing is left', async () => {
  expect((await proven({ gone: GONE, good: GOOD }, ['gone'])).status).toBe(0);
  const { status, stdout, stderr } = await proven({ gone: GONE }, ['gone']);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toStartWith('Skipped: Scenario gone has no program');
});

test('what was recorded before an interruption is printed', async () => {
  const { status, stdout } = await proven({ good: GOOD, stopped: GOOD }, []);
  expect(JSON.parse(stdout)).toEqual([{ name: 'good', request: 'GET /', telemetry: {} }]);
  expect(status).toBe('Error: interrupted by SIGINT');
});
