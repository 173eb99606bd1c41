import { expect, test } from 'bun:test';
import type { Analysis } from '../analysis/analysis.ts';
import type { Result } from '../result/schema.ts';
import { fakeAnalysis, severalTasks } from '../testing/fake-analysis.ts';
import { fakeExported, fakePair, fakePairs, fakeTask } from '../testing/fakes.ts';
import { howMeasured, methodNotes } from './notes.ts';
import { detailTables } from './tables.ts';

test('how: what was measured, by how many pairs, and where', () => {
  expect(howMeasured(fakeAnalysis()).join()).toBe(
    'Each test minus the baseline: mean latency at 100 connections, and server CPU. ' +
      '± gives 95 % intervals that hold for all rows at once; ~ means no significant difference. ' +
      '5 pairs of fresh servers per row, bombardier v2.0.2, Bun 1.4.5, Test CPU, 2 cores, 2026-11-21.',
  );
  expect(howMeasured(fakeAnalysis(severalTasks('a', 'b'))).join()).toStartWith(
    'Each test minus the baseline: server CPU. ± gives 95 % intervals that hold for all rows of a task at once; ',
  );
});

test('how: what the suite says of its table stands last', () => {
  const said = fakeAnalysis(
    ({ suite }) => void Object.assign(suite, { remarks: ['One is larger.', 'So is another.'] }),
  );
  expect(howMeasured(said).slice(1)).toEqual(['One is larger.', 'So is another.']);
});

test('how: at a steady rate, and from when latency counts', () => {
  const paced = (latencyFrom: 'due' | 'sent') =>
    howMeasured(
      fakeAnalysis((result) => {
        for (const task of result.suite.tasks) Object.assign(task, { rate: 4_500, rateShare: 0.3 });
        result.tool.latencyFrom = latencyFrom;
      }),
    ).join();
  expect(paced('due')).toStartWith(
    'Each test minus the baseline: server CPU at 4500 requests/s (30 % of what the baseline can do). ±',
  );
  expect(paced('due')).toContain(' Latency counts from when a request was due. 5 pairs');
  expect(paced('sent')).toContain(
    ' Latency counts from when a request was sent, without the time it waited to be sent. 5 pairs',
  );
});

test('how: no claim about what is not there', () => {
  const one = fakeAnalysis(
    (result) => {
      for (const pair of result.pairs) pair.alternating = [];
    },
    fakePairs('other', [12, 12.1]),
  );
  expect(howMeasured(one).join()).toStartWith(
    'Each test minus the baseline: server CPU. ± gives the 95 % interval; ~ means no significant difference. 2 pairs',
  );
  expect(howMeasured(fakeAnalysis(undefined, [])).join()).toStartWith('0 pairs of fresh servers per row, ');
  const uneven = [fakePair('base', 10), ...fakePairs('other', [12, 12.1])];
  expect(howMeasured(fakeAnalysis(undefined, uneven)).join()).toContain(' 1 to 2 pairs of fresh servers');
});

test('how: no claim about latency where the table has none of its changes', () => {
  const withoutDuets = (change: (result: Result) => void) =>
    howMeasured(
      fakeAnalysis((result) => {
        for (const pair of result.pairs) pair.duets = [];
        change(result);
      }),
    ).join(' ');
  const paced = withoutDuets(({ suite }) => {
    for (const task of suite.tasks) task.rate = 500;
  });
  expect(paced).toStartWith('Latency counts from when a request was sent');
  const calibration = withoutDuets(({ suite }) => {
    for (const scenario of suite.scenarios) scenario.trueCostUs = 2;
  });
  expect(calibration).toStartWith('0 of 0 intervals hold the true cost. 5 pairs');
});

test('connections: those of the tasks, which may have their own', () => {
  const shape = (...connections: number[]) =>
    methodNotes(
      fakeAnalysis(({ suite }) => {
        suite.tasks = connections.map((each) => ({ ...fakeTask(`with-${each}`), connections: each }));
      }),
    )[0];
  const [same, different] = [shape(7), shape(7, 50)];
  expect(same).toStartWith(
    'Each pair: 2 alternating slices with 7 connections, 3 duet slices with half of them on each ',
  );
  expect(different).toStartWith(
    'Each pair: 2 alternating slices with the connections of its task, 3 duet slices with ',
  );
});

function withAgreement(...verdicts: ('agrees' | 'disagrees' | null)[]): string | undefined {
  const analysis: Analysis = fakeAnalysis();
  const [task] = analysis.tasks;
  const [row] = task?.rows ?? [];
  if (!task || !row) throw new Error('no row');
  task.rows = verdicts.map((verdict, index) => ({
    ...row,
    label: `Row ${index}`,
    agreement: verdict && { verdict, measuredUs: 1, expectedUs: 1 },
  }));
  return methodNotes(analysis).find((line) => line.includes('agrees'));
}

test('agreement is claimed of the rows that agree, and of no others', () => {
  expect(withAgreement('agrees', 'agrees')).toEndWith('CPU per request for every test.');
  expect(withAgreement('agrees', 'disagrees', null)).toEndWith('CPU per request for Row 0.');
  expect(withAgreement('disagrees', null)).toBeUndefined();
});

test('method: what was not possible, and why', () => {
  const notes = methodNotes(
    fakeAnalysis((result) => {
      result.pinning = { missing: 'only one core' };
      result.keepAwake = { missing: 'no permission' };
      result.cpuClock = { missing: 'no clock' };
      result.proofs = [];
      result.suite.skipped = [{ scenario: 'third', reason: 'node is missing', tasks: [] }];
    }),
  );
  expect(notes).toEqual(
    expect.arrayContaining([
      'Cores are not pinned: only one core.',
      'Idle cores could sleep: no permission.',
      'CPU time was not read: no clock.',
      'third was skipped: node is missing.',
    ]),
  );
  expect(notes.join()).not.toContain('Before measuring');
});

test('the command of each task, as a shell reads it back', () => {
  const loads = (tasks: string[]) =>
    methodNotes(
      fakeAnalysis((result) => {
        for (const pair of result.pairs) pair.command = ['wrk', '-H', 'a: b', 'http://localhost/?a&b', '$(x)'];
        if (tasks.length > 0) severalTasks(...tasks)(result);
      }),
    ).filter((line) => line.includes('Load: '));
  expect(loads([])).toEqual(["Load: wrk -H 'a: b' 'http://localhost/?a&b' '$(x)'"]);
  expect(loads(['a', 'b'])).toEqual([expect.stringMatching(/^A: Load: wrk/), expect.stringMatching(/^B: Load: wrk/)]);
});

function exporting(...modes: ('none' | 'otlp')[]): Analysis {
  return fakeAnalysis((result) => {
    for (const [index, mode] of modes.entries()) {
      Object.assign(result.proofs[index] ?? {}, { spans: 200 });
      Object.assign(result.suite.scenarios[index] ?? {}, { export: mode });
    }
    for (const { scenario, exported, alternating, duets } of result.pairs) {
      if (scenario !== 'other' || !modes.includes('otlp')) continue;
      exported.scenario = fakeExported(1_000, 995);
      for (const slice of [...alternating, ...duets]) slice.scenario.sinkCpuNs = slice.scenario.seconds * 2e8;
    }
  });
}

test('what became of spans is said if all tests did the same, and else by their titles', () => {
  expect(howMeasured(exporting('otlp', 'otlp')).join()).toContain('fresh servers per row, spans exported, bombardier');
  expect(howMeasured(exporting('none')).join()).toContain('spans not exported');
  expect(howMeasured(exporting('none', 'otlp')).join()).toContain('fresh servers per row, bombardier');
});

test('where the sink was, and what it took', () => {
  const line = "A sink on the load tool's cores receives the spans. It takes up to 20 % of a core.";
  expect(methodNotes(exporting('none', 'otlp'))).toContain(line);
  expect(methodNotes(exporting('none')).join()).not.toContain('sink');
  expect(methodNotes({ ...exporting('otlp', 'otlp'), proofs: [] })).toContain(line);
});

test('what the sink took is not made up if no clock reads it', () => {
  const analysis = fakeAnalysis((result) => {
    for (const { exported } of result.pairs) exported.scenario = fakeExported(1_000, 995);
  });
  expect(methodNotes(analysis)).toContain("A sink on the load tool's cores receives the spans.");
});

test('the share of spans that arrived has a column', () => {
  const { figures = [], rows = [] } = detailTables(exporting('otlp', 'otlp')).at(-1)?.tables[0] ?? {};
  const [, other = []] = rows;
  expect(other[1 + figures.indexOf('Spans received')]).toBe('99.50 %');
  expect(other[1 + figures.indexOf('Sink busy')]).toBe('20 %');
});
