import { expect, test } from 'bun:test';
import { fakeDuetFork, fakeResult } from '../testing/fakes.ts';
import { calibrationRows } from './calibration.ts';

test('differences in µs are averaged over forks, however fast the machine was in each', () => {
  const result = fakeResult([]);
  result.suite.scenarios = ['base', 'burn-10us', 'burn-2us'].map((name) => ({
    name,
    title: name,
    command: ['bun'],
    telemetry: null,
  }));
  result.duetForks = [
    ...[20, 30, 40].map((baselineUs) => fakeDuetFork('burn-10us', baselineUs, baselineUs + 10)),
    ...[20, 30, 40].map((baselineUs) => fakeDuetFork('burn-2us', baselineUs, baselineUs + 3)),
  ];
  const [ten, two] = calibrationRows(result);
  expect(ten).toMatchObject({ trueUs: 10, measuredUs: expect.closeTo(10, 9) });
  expect(two).toMatchObject({ trueUs: 2, measuredUs: expect.closeTo(3, 9), isCovered: false });
});

test('what could not be measured covers nothing', () => {
  const result = fakeResult([]);
  result.suite.scenarios = ['base', 'burn-10us'].map((name) => ({
    name,
    title: name,
    command: ['bun'],
    telemetry: null,
  }));
  expect(calibrationRows(result)).toMatchObject([
    { trueUs: 10, measuredUs: Number.NaN, intervalUs: undefined, isCovered: false },
  ]);
});
