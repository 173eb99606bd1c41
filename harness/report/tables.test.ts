import { expect, test } from 'bun:test';
import { fakeMeasurement, fakeResult } from '../testing/fakes.ts';
import { docsReport, fullReport } from './tables.ts';

const twoRounds = () =>
  fakeResult([
    [fakeMeasurement('base', 1_650, 60_000), fakeMeasurement('other', 3_860, 26_000)],
    [fakeMeasurement('other', 3_900, 25_000), fakeMeasurement('base', 1_670, 59_000)],
  ]);

test('docs: two columns, ready to paste, and under them what a reader must know', () => {
  expect(docsReport(twoRounds())).toMatchSnapshot();
});

test('full: throughput, percentiles, errors, spread, and the statistics block of each scenario', () => {
  expect(fullReport(twoRounds())).toMatchSnapshot();
});

test('an invalid measurement is never shown as a number', () => {
  const result = twoRounds();
  const broken = result.soloRounds[0]?.measurements[1];
  if (broken) {
    broken.invalid = ['7 x status 5xx'];
    broken.load.errors = [{ kind: 'status', detail: 'status 5xx', count: 7 }];
  }
  const report = docsReport(result);
  expect(report).toMatch(/\| Other +\| +invalid \|/);
  expect(report).toContain('Other is invalid, round 1: 7 x status 5xx.');
  expect(fullReport(result)).toMatch(/\| Other .*invalid.*\| +7 \|/);
});

test('a quick, interrupted, unpinned run with another tool says so', () => {
  const result = twoRounds();
  result.configuration.quick = true;
  result.configuration.rounds = 3;
  result.stoppedBy = 'interrupted by SIGINT';
  result.tool = { name: 'wrk', version: '4.1.0' };
  result.pinning = { unpinned: 'there is one core only' };
  const report = docsReport(result);
  for (const remark of [
    'A quick run, not for publishing.',
    'Measured with wrk in place of bombardier.',
    'Server and load tool share cores: there is one core only.',
    'Stopped, interrupted by SIGINT: 2 of 3 rounds and 0 duets are here.',
  ]) {
    expect(report).toContain(remark);
  }
});

test("markup in a title can't break the table", () => {
  const result = twoRounds();
  const [, other] = result.suite.scenarios;
  if (other) other.title = 'a | b\nc';
  expect(docsReport(result)).toContain('a \\| b c');
});

test('without a clock for CPU time the change in ms is still given, and the reason why there is no more', () => {
  const result = twoRounds();
  result.cpuClock = { missing: 'No clock of this system tells it' };
  const report = docsReport(result);
  expect(report).toContain('Server CPU per request was not measured: No clock of this system tells it.');
  expect(report).toMatch(/\| Other +\| +\+2\.22 ms \|/);
});
