import { expect, test } from 'bun:test';
import type { Result } from '../result/schema.ts';
import { fakeAnalysis, severalTasks } from '../testing/fake-analysis.ts';
import { cleanPairs, fakePair, fakePairs, fakeTask } from '../testing/fakes.ts';
import { asMarkdown } from './formats.ts';
import { detailTables, docsTable, type Table } from './tables.ts';

/** A table as it is pasted. */
const shown = (table: Table) => `${asMarkdown([{ tables: [table] }])}\n`;

test('the baseline as it is, changes with their intervals, and the noise floor at the end', () => {
  expect(shown(docsTable(fakeAnalysis()))).toMatchSnapshot();
});

test('two tables with details; in every one each row is as wide as its head', () => {
  const analysis = fakeAnalysis();
  const details = detailTables(analysis);
  expect(asMarkdown(details)).toMatchSnapshot();
  for (const { names, figures, rows } of [docsTable(analysis), ...details.flatMap(({ tables }) => tables)])
    for (const row of rows) expect(row).toHaveLength(names.length + figures.length);
});

test('what nobody measured has no column', () => {
  const noClock = fakeAnalysis((result) => {
    for (const { alternating, duets } of result.pairs)
      for (const { baseline, scenario } of [...alternating, ...duets])
        for (const side of [baseline, scenario]) side.cpuNs = null;
  });
  expect(docsTable(noClock).figures).toEqual(['Change per request', 'Throughput']);
  const noDuets = fakeAnalysis((result) => {
    for (const pair of result.pairs) pair.duets = [];
  });
  expect(docsTable(noDuets).figures).toEqual(['Change per request', 'Throughput']);
  const duetsAlone = fakeAnalysis((result) => {
    for (const pair of result.pairs) Object.assign(pair, { alternating: [], usage: {} });
  });
  expect(docsTable(duetsAlone).figures).toEqual(['Server CPU per request']);
  expect(detailTables(duetsAlone).map(({ tables: [{ figures }] }) => figures)).toEqual([['Pairs']]);
});

test('an invalid row says so in every cell, and has a mark', () => {
  const { rows } = docsTable(
    fakeAnalysis((result) => {
      const pair = result.pairs.find(({ scenario }) => scenario === 'other');
      pair?.invalid.push('12 requests were refused');
    }),
  );
  expect(rows[1]).toEqual(['Other †', 'invalid', 'invalid', 'invalid']);
  expect(rows[2]?.[0]).toBe('Baseline against itself');
});

test('a single pair has no interval', () => {
  const { rows } = docsTable(fakeAnalysis(undefined, [fakePair('other', 12)]));
  expect(rows[1]?.[2]).toBe('+2.00 µs (1 pair: no interval)');
});

test('nothing was measured', () => {
  expect(docsTable(fakeAnalysis(undefined, []))).toMatchObject({
    figures: [],
    rows: [['Base'], ['Other']],
  });
});

test('tasks of the same scenarios: one matrix, with details by task', () => {
  const analysis = fakeAnalysis(severalTasks('get', 'post'));
  expect(shown(docsTable(analysis))).toMatchSnapshot();
  expect(detailTables(analysis).map(({ tables: [{ names, figures }] }) => [...names, figures[0]])).toEqual([
    ['Task', 'Test', 'Change per request'],
    ['Task', 'Test', 'Mean latency'],
    ['Task', 'Test', 'CPU user per request'],
  ]);
});

test('a matrix shows the change in ms if no clock reads CPU time, and a mark on its cell', () => {
  const { names, rows } = docsTable(
    fakeAnalysis((result) => {
      severalTasks('get', 'post')(result);
      for (const pair of result.pairs) pair.duets = [];
      const pair = result.pairs.find(({ task, scenario }) => task === 'post' && scenario === 'other');
      if (pair) pair.invalid = ['12 requests were refused'];
    }),
  );
  expect(names).toEqual(['Change per request']);
  expect(rows[0]?.[2]).toContain(' ms ±');
  expect(rows[1]?.[2]).toBe('invalid †');
});

test('tasks of different scenarios: one long table; uploads in MB', () => {
  const table = docsTable(
    fakeAnalysis(
      (result: Result) => {
        result.suite.tasks = [{ ...fakeTask('upload'), bodyBytes: 5e7 }, fakeTask('get', ['base', 'third'])];
        for (const pair of result.pairs) pair.task = pair.scenario === 'third' ? 'get' : 'upload';
      },
      [...cleanPairs(), ...fakePairs('third', [14, 14.1, 13.9])],
    ),
  );
  expect(shown(table)).toMatchSnapshot();
});

test('a calibration: measured against true cost', () => {
  const isKnown = (result: Result) => {
    for (const scenario of result.suite.scenarios) scenario.trueCostUs = scenario.name === 'base' ? 0 : 2;
  };
  expect(shown(docsTable(fakeAnalysis(isKnown)))).toMatchSnapshot();
  const severalKnown = fakeAnalysis((result) => {
    severalTasks('bare', 'busy')(result);
    isKnown(result);
  });
  expect(docsTable(severalKnown).names).toEqual(['Task', 'Test']);
  const invalid = fakeAnalysis((result) => {
    isKnown(result);
    for (const pair of result.pairs) if (pair.scenario === 'other') pair.invalid.push('a server ended');
  });
  expect(docsTable(invalid).rows[0]).toEqual(['Other †', '2.00 µs', 'invalid', 'invalid', 'invalid']);
});

test('what a server takes beside its work, if the suite asks for it', () => {
  const table = docsTable(
    fakeAnalysis((result) => {
      const ms = { baseline: [10, 10, 10, 10, 10, 10, 10], scenario: [30, 31, 32, 33, 34, 35, 36] };
      result.startUps = [{ task: 'default', scenario: 'other', ms }];
      for (const scenario of result.suite.scenarios) scenario.installedBytes = 2 ** 21;
    }),
  );
  expect(table.figures.slice(3)).toEqual(['Memory', 'Start-up', 'Installed']);
  expect(table.rows.map((row) => row.slice(4))).toEqual([
    ['95.4 MiB', '10.0 ms', '2.00 MiB'],
    ['~ 0.0000 MiB ±0.0000', '+23.0 ms ±3.0', '2.00 MiB'],
    ['~ 0.0000 MiB ±0.0000', '-', '2.00 MiB'],
  ]);
});

test('a scenario that was skipped has a row that says why, if it would have been in the task', () => {
  const { rows } = docsTable(
    fakeAnalysis((result) => {
      const reason = 'records nothing on Bun 1.4.5, after 200 requests: expected 200 spans';
      result.suite.skipped = [
        { scenario: 'Silent', reason, tasks: ['default'] },
        { scenario: 'Elsewhere', reason, tasks: [] },
      ];
    }),
  );
  expect(rows.at(-1)).toEqual(['Silent (records nothing on Bun 1.4.5)', '-', '-', '-']);
  expect(rows.map(([title]) => title)).not.toContain('Elsewhere');
});

test('in a matrix it has a column, also beside tasks without the baseline against itself', () => {
  const { figures, rows } = docsTable(
    fakeAnalysis((result) => {
      severalTasks('get', 'post')(result);
      result.pairs = result.pairs.filter(({ task, scenario }) => task === 'get' || scenario !== 'base');
      result.suite.skipped = [{ scenario: 'Silent', reason: 'records nothing: x', tasks: ['get', 'post'] }];
    }),
  );
  expect(figures.slice(-2)).toEqual(['Baseline against itself', 'Silent (records nothing)']);
  const [get, post] = rows.map((row) => row.slice(-2));
  expect(get).toEqual([expect.stringContaining('µs'), '-']);
  expect(post).toEqual(['-', '-']);
});
