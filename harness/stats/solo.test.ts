import { expect, test } from 'bun:test';
import { fakeMeasurement, fakeResult } from '../testing/fakes.ts';
import { soloRows } from './solo.ts';

test('differences are taken within a round, whatever the order in it', () => {
  const result = fakeResult([
    [fakeMeasurement('base', 1_000), fakeMeasurement('other', 1_500)],
    [fakeMeasurement('other', 2_700), fakeMeasurement('base', 2_000)],
  ]);
  const [base, other] = soloRows(result);
  expect(base?.figures?.latencyUs.mean).toBe(1_500);
  expect(base?.figures?.change).toBeUndefined();
  expect(other?.figures?.change).toMatchObject({
    perRoundUs: [500, 700],
    meanUs: 600,
    minUs: 500,
    maxUs: 700,
  });
});

test('throughput is all requests / all seconds; its change is taken within rounds', () => {
  const short = fakeMeasurement('base', 1_000, 1_000);
  const long = fakeMeasurement('base', 1_000, 9_000);
  long.load.seconds = 3;
  const other = [fakeMeasurement('other', 1_000, 500), fakeMeasurement('other', 1_000, 500)];
  const [base, changed] = soloRows(
    fakeResult([
      [short, other[0] as never],
      [long, other[1] as never],
    ]),
  );
  expect(base?.figures?.throughput).toBe(2_500);
  expect(changed?.figures?.change?.throughput).toBeCloseTo(Math.sqrt((500 / 1_000) * (500 / 3_000)) - 1, 12);
});

test('one invalid measurement makes the row invalid, and one of the baseline every change', () => {
  const broken = fakeMeasurement('other', 1);
  broken.invalid = ['3 x status 5xx'];
  const rows = soloRows(
    fakeResult([
      [fakeMeasurement('base'), broken],
      [fakeMeasurement('base'), fakeMeasurement('other')],
    ]),
  );
  expect(rows[1]).toMatchObject({ figures: undefined, invalid: ['round 1: 3 x status 5xx'] });
  const brokenBase = fakeMeasurement('base');
  brokenBase.invalid = ['no request was answered'];
  const [, other] = soloRows(fakeResult([[brokenBase, fakeMeasurement('other')]]));
  expect(other?.figures?.latencyUs.mean).toBe(1_000);
  expect(other?.figures?.change).toBeUndefined();
});

test('a percentile that the tool does not tell is not made up', () => {
  const measurement = fakeMeasurement('base');
  if (measurement.load.latencyUs) measurement.load.latencyUs.p95 = null;
  const [base] = soloRows(fakeResult([[measurement, fakeMeasurement('other')]]));
  expect(base?.figures?.latencyUs).toMatchObject({ p50: 1_000, p95: null, p99: 3_000 });
});

test('without a complete round there are rows and no figures', () => {
  for (const row of soloRows(fakeResult([])))
    expect(row).toMatchObject({ figures: undefined, invalid: [], typical: undefined });
});
