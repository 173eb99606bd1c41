// What is printed of small results, compared with the files in golden/. UPDATE_GOLDEN=1 writes them
// again: then read them.
import { describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyse, type Run } from '../analysis/analysis.ts';
import { whyIncomparable } from '../analysis/comparability.ts';
import { compareRuns } from '../analysis/compare.ts';
import { type Judgement, judgeComparisons } from '../analysis/gate.ts';
import type { Loaded, Pair, Result } from '../result/schema.ts';
import { fakeAnalysis, HOSTILE, makeHostile, severalTasks } from '../testing/fake-analysis.ts';
import {
  asRevisions,
  cleanPairs,
  fakeExported,
  fakeFault,
  fakePairs,
  fakeResult,
  fakeSweep,
  fakeTask,
} from '../testing/fakes.ts';
import type { Screen } from '../words/screen.ts';
import { printable } from '../words/text.ts';
import { comparisonSections, revisionsReport } from './comparison.ts';
import { comparisonAnswer } from './comparison-answer.ts';
import { FORMATS, type Format } from './formats/list.ts';
import { asMarkdown } from './formats/markdown.ts';
import { asPullRequestComment } from './formats/pull-request.ts';
import { asTerminal } from './formats/terminal.ts';

function isGolden(name: string, text: string): void {
  const file = join(import.meta.dir, 'golden', name);
  if (process.env.UPDATE_GOLDEN) writeFileSync(file, `${text}\n`);
  expect(`${text}\n`).toBe(readFileSync(file, 'utf8'));
}

const FORMAT_NAMES = Object.keys(FORMATS) as Format[];
const PIPE: Screen = { isTerminal: false, columns: 80, hasColors: false };

function printed(format: Format, run: Run, screen = PIPE): string {
  return FORMATS[format](run, screen, '');
}

/** Five pairs around that cost, none like another. */
const around = (scenario: string, costUs: number, baselineUs = 10): Pair[] =>
  [-0.03, 0.02, 0, -0.01, 0.04].flatMap((part) =>
    fakePairs(scenario, [costUs * (1 + part)], baselineUs),
  );

function changed(pairs: Pair[], change: (result: Result) => void): Result {
  const result = fakeResult(pairs);
  change(result);
  return result;
}

/** Levels as in README: metrics, one span and ten, exported to a sink. */
function levels(): Result {
  const pairs = [
    ...around('base', 10),
    ...around('metrics', 10.5),
    ...around('span', 12),
    ...around('ten', 16),
  ];
  return changed(pairs, (result) => {
    const spans: Record<string, number> = { span: 1, ten: 10 };
    result.suite.remarks = ['Queues hold 100,000 spans: what a server sends in a second.'];
    result.suite.scenarios = result.suite.scenarios.filter(({ name }) => name !== 'other');
    result.suite.tasks = [fakeTask('default', ['base', 'metrics', 'span', 'ten'])];
    result.proofs = result.proofs.filter(({ scenario }) => scenario !== 'other');
    for (const proof of result.proofs) proof.spans = 200 * (spans[proof.scenario] ?? 0);
    for (const pair of result.pairs) {
      const perRequest = spans[pair.scenario];
      if (!perRequest) continue;
      pair.exported.scenario = fakeExported(1_000_000 * perRequest, 1_000_000 * perRequest - 1);
    }
  });
}

const fault = {
  what: 'no program',
  detail: "node can't be found",
  scenario: null,
  slice: null,
  count: 1,
};

/** Whatever a quick run on a shared machine can have against it. */
function troubled(): Result {
  const pairs = [
    ...around('base', 10),
    ...around('other', 12),
    ...around('late', 13),
    ...around('broken', 14),
  ];
  return changed(pairs, (result) => {
    const { suite, configuration } = result;
    Object.assign(result, {
      stoppedBy: 'the machine was about to sleep',
      pinning: { missing: 'there is only one core' },
      keepAwake: { missing: '/dev/cpu_dma_latency: permission denied' },
    });
    const wakeUp = { plain: { us: 4, standardErrorUs: 0.1 }, held: null };
    Object.assign(result.environment, { wakeUp, frequencyGovernor: 'powersave' });
    Object.assign(configuration, { isQuick: true, pairs: 6 });
    suite.skipped = [{ scenario: 'Missing', fault, tasks: ['default'] }];
    const [base, other] = suite.scenarios;
    if (base && other) other.runtime = { name: 'node', version: '24.1.0' };
    result.proofs = result.proofs.filter(({ scenario }) => scenario !== 'late');
    for (const proof of result.proofs) if (proof.scenario === 'other') proof.spans = 200;
    for (const proof of result.proofs.slice(0, 1)) proof.notes = ['it did not end on SIGTERM'];
    for (const [index, pair] of result.pairs.entries()) {
      pair.isSteady = index % 2 === 0;
      for (const { scenario, cores } of pair.duets) {
        if (pair.scenario === 'other') scenario.toolSleeps = scenario.requests;
        if (cores) cores.server.stealNs = 1.2e8;
      }
      if (pair.scenario === 'other')
        pair.exported.scenario = fakeExported(1_000_000, index % 3 ? 900_000 : 1_000_000);
      if (pair.scenario === 'late')
        for (const slice of pair.duets.slice(0, 2)) slice.rateShortfall = '7 of 10 requests';
    }
    result.pairs
      .at(-1)
      ?.faults.push(fakeFault({ scenario: 'broken' }), fakeFault({ scenario: 'base' }));
  });
}

const swept = changed(
  [0, 1, 2, 5].flatMap((value) =>
    fakePairs(`spans-${value}`, [11.9 + value, 12 + value, 12.1 + value]),
  ),
  (result) => {
    result.suite.tasks = [
      fakeTask('default', ['base', 'spans-0', 'spans-1', 'spans-2', 'spans-5']),
    ];
    fakeSweep('spans', [0, 1, 2, 5])(result);
  },
);
const paced = changed(cleanPairs(), (result) => {
  for (const task of result.suite.tasks) Object.assign(task, { rate: 4_500, rateShare: 0.3 });
  result.tool.latencyFrom = 'due';
});

/**
 * Two comparisons at two rates and at full load. At the higher rate one scenario is missing, and
 * another one can't hold it; at the lower one there are too few answers for a 99th percentile.
 */
const atRates = changed([], (result) => {
  const groups = { bun: ['base', 'one', 'two'], node: ['third', 'fourth'] };
  const rates = [100, 5_000, null];
  const names = Object.values(groups).flat();
  const [scenario] = result.suite.scenarios;
  if (scenario) result.suite.scenarios = names.map((name) => ({ ...scenario, name, title: name }));
  result.suite.tasks = Object.entries(groups).flatMap(([group, scenarios]) =>
    rates.map((rate) => ({
      ...fakeTask(`${group}-${rate}`, scenarios),
      ...{ baseline: scenarios[0] as string, rate },
    })),
  );
  for (const { name: task, rate, scenarios, baseline } of result.suite.tasks)
    for (const scenario of scenarios) {
      if (scenario === 'two' && rate === 5_000) continue;
      const costUs = rate === null ? 10 : 20;
      const pairs = around(scenario, scenario === baseline ? costUs : 3 * costUs, costUs);
      for (const pair of pairs) {
        pair.task = task;
        if (rate === 100)
          for (const { baseline, scenario } of pair.alternating)
            for (const loaded of [baseline, scenario]) answerLess(loaded, 40);
      }
      if (scenario === 'fourth' && rate === 5_000)
        for (const { faults } of pairs)
          faults.push({ ...fakeFault({ kind: 'rate-not-held' }), what: 'rate not held' });
      result.pairs.push(...pairs);
    }
  result.tool.latencyFrom = 'sent';
  result.toolAtRates = { ...result.tool, name: 'vegeta', version: 'v12', latencyFrom: 'due' };
});

const calibrated = changed(
  [...around('base', 10), ...around('two', 12.1), ...around('five', 16)],
  (result) => {
    const known: Record<string, number> = { base: 0, two: 2, five: 5 };
    for (const scenario of result.suite.scenarios) scenario.trueCostUs = known[scenario.name] ?? 2;
    result.suite.tasks = [fakeTask('default', ['base', 'two', 'five'])];
  },
);

/**
 * As the suite of tracers: several tasks, of their own scenarios, with start-up, memory and CPU
 * without requests.
 */
const footprints = changed([...around('base', 10), ...around('other', 12)], (result) => {
  const ms = { baseline: [10, 10, 10, 10, 10, 10, 10], scenario: [30, 31, 32, 33, 34, 35, 36] };
  result.startUps = [{ task: 'default', scenario: 'other', ms }];
  result.idles = [
    { task: 'default', scenario: 'other', cpuMsPerSecond: { baseline: 0.31, scenario: 2.4 } },
  ];
  for (const [index, { usage }] of result.pairs.entries())
    usage.scenario.memoryBytes = { mean: 1.1e8 + index * 1e6 };
  result.suite.tasks.push(fakeTask('upload', ['base', 'third']));
  result.pairs.push(...around('third', 14).map((pair) => ({ ...pair, task: 'upload' })));
});

/** Lets a server answer so many requests, at the same CPU time of each. */
function answerLess(loaded: Loaded, requests: number): void {
  loaded.cpuNs = (Number(loaded.cpuNs) / loaded.requests) * requests;
  loaded.requests = requests;
}

/** Four tracers: the second takes as much as the first, and of the last that is not known. */
const neighbours = changed(
  [
    ...around('base', 10),
    ...around('one', 20),
    ...around('two', 20.1),
    ...around('three', 40),
    ...fakePairs('four', [36, 47, 40, 43, 44]),
  ],
  (result) => {
    const ms = { baseline: [10, 10, 10], scenario: [30, 31, 32] };
    result.startUps = [{ task: 'default', scenario: 'one', ms }];
    result.suite.scenarios = result.suite.scenarios.filter(({ name }) => name !== 'other');
    result.suite.tasks = [fakeTask('default', ['base', 'one', 'two', 'three', 'four'])];
    result.proofs = result.proofs.filter(({ scenario }) => scenario !== 'other');
  },
);

const ENDS = {
  docs: 'docs.txt',
  full: 'full.txt',
  json: 'json',
  'github-action-benchmark': 'action.json',
};
describe('a report', () => {
  test.each([
    ['levels', levels(), ['full']],
    ['troubled', troubled(), ['full']],
    ['matrix', changed(cleanPairs(), severalTasks('get', 'post')), ['docs']],
    ['sweep', swept, ['docs']],
    ['rate', paced, ['docs']],
    ['rates', atRates, ['docs']],
    ['calibration', calibrated, ['docs']],
    ['footprints', footprints, ['docs']],
    ['neighbours', neighbours, ['docs']],
    [
      'single',
      changed(fakePairs('other', [12]), () => {}),
      ['docs', 'json', 'github-action-benchmark'],
    ],
  ] as const)('of %s', (name, result, formats) => {
    const run = analyse(result);
    for (const format of formats) isGolden(`${name}.${ENDS[format]}`, printed(format, run));
  });
});

/** The same with names as long as suites have them. */
function titled(result: Result, titles: Record<string, string>): Result {
  const scenarios = result.suite.scenarios.map((scenario) => ({
    ...scenario,
    title: titles[scenario.name] ?? scenario.title,
  }));
  return { ...result, suite: { ...result.suite, scenarios } };
}

const inTerminal = {
  levels: titled(
    changed([...levels().pairs], (result) =>
      Object.assign(result, { ...levels(), suite: { ...levels().suite, headline: 'span' } }),
    ),
    {
      base: 'Baseline (not instrumented)',
      metrics: 'Tracing disabled (metrics only)',
      span: 'Tracing enabled (metrics + tracing)',
      ten: '10 nested spans',
    },
  ),
  tracers: titled(footprints, {
    base: 'Hono on node:http',
    other: '@sentry/bun, init by --preload, receiver answers 503',
    third: 'OpenTelemetry SDK 2 (inspector)',
  }),
  rate: titled(paced, { other: '@sentry/bun, init by --preload' }),
  matrix: changed(cleanPairs(), severalTasks('get', 'post')),
  troubled: troubled(),
};

describe.each([80, 100, 120])('a terminal of %d columns', (columns) => {
  const screen = { isTerminal: true, columns, hasColors: false };

  test.each(Object.entries(inTerminal))(
    'shows %s in lines that fit, with the answer last',
    (name, result) => {
      const text = printed('terminal', analyse(result), screen);
      isGolden(`${name}.terminal-${columns}.txt`, text);
      for (const line of text.split('\n'))
        expect(Bun.stringWidth(line)).toBeLessThanOrEqual(columns);
    },
  );

  test('has colours only around the text of one without', () => {
    for (const result of Object.values(inTerminal)) {
      const run = analyse(result);
      const colored = printed('full', run, { ...screen, hasColors: true });
      expect(Bun.stripANSI(colored)).toBe(printed('full', run, screen));
    }
  });
});

test('no format prints nonsense of fields that do not go together, or of a run cut short', () => {
  const misfits: ((result: Result) => void)[] = [
    ({ suite }) => Object.assign(suite.tasks[0] ?? {}, { baseline: 'nope' }),
    ({ suite }) => Object.assign(suite.tasks[0] ?? {}, { scenarios: [] }),
    ({ suite }) => Object.assign(suite, { tasks: [] }),
    ({ pairs }) => Object.assign(pairs[0] ?? {}, { scenario: 'x' }),
    ({ pairs }) => Object.assign(pairs[0] ?? {}, { task: 'x' }),
    ({ pairs }) => Object.assign(pairs[0] ?? {}, { alternating: [], duets: [] }),
    ({ pairs }) => Object.assign(pairs[0]?.duets[0]?.scenario ?? {}, { requests: 0 }),
    ({ pairs }) => Object.assign(pairs[0]?.alternating[0]?.baseline ?? {}, { seconds: 0 }),
    (result) => Object.assign(result, { endedAt: null, pairs: [] }),
  ];
  for (const change of misfits)
    for (const format of FORMAT_NAMES)
      expect(printed(format, fakeAnalysis(change))).not.toMatch(/NaN|Infinity|undefined/);
  const begun = {
    ...calibrated,
    pairs: calibrated.pairs.filter(({ scenario }) => scenario !== 'five'),
  };
  for (const format of FORMAT_NAMES)
    expect(printed(format, analyse(begun))).not.toMatch(/NaN|Infinity|undefined/);
});

test('a proof of one of two revisions tells its task: titles are the same in all of them', () => {
  const run = fakeAnalysis((result) => {
    asRevisions(result);
    result.suite.tasks.push({ ...fakeTask('b', ['b.new']), baseline: 'b.old' });
    result.proofs.push({ ...(result.proofs[0] as Result['proofs'][number]), scenario: 'b.old' });
  });
  expect(printed('full', run)).toContain(
    'spans per request: Default: Base 0, Default: Other 0, B: b.old 0.',
  );
});

test('a table says which of its tasks are at a steady rate', () => {
  const run = fakeAnalysis((result) => {
    severalTasks('get', 'post')(result);
    const [, post] = result.suite.tasks;
    const exchanges = post?.exchanges.map((exchange) => ({ ...exchange, method: 'POST' }));
    Object.assign(post ?? {}, { rate: 500, exchanges });
  });
  expect(printed('docs', run)).toMatch(
    /difference\. post: at 500 requests\/s, where latency is mostly waiting\./i,
  );
});

test('the table of a run without a valid row says so', () => {
  const run = fakeAnalysis(({ pairs }) => {
    for (const { faults, scenario } of pairs) faults.push(fakeFault({ scenario }));
  });
  expect(printed('docs', run).split('\n')[0]).toContain('Change per request (latency)');
  expect(printed('docs', run)).toMatch(/^\| .* † *\| *invalid \|$/m);
});

describe('a comparison', () => {
  const old = levels();
  const current = changed(
    [...around('metrics', 10.5), ...around('span', 13), ...around('new', 15)],
    (result) => {
      result.environment.kernel = 'Linux 7 x64';
      result.pairs[0]?.faults.push(fakeFault({ scenario: 'metrics' }));
    },
  );

  test('of two results', () => {
    const comparisons = compareRuns(analyse(old), analyse(current));
    const differences = whyIncomparable(analyse(old), analyse(current));
    const found = {
      comparisons,
      references: [],
      differences,
      isPaired: false,
      oldTitles: [],
      revisions: { old: 'old.json', current: 'new.json' },
      stoppedBy: null,
      remarks: { list: [], warnings: [] },
      remedies: {},
    };
    const sections = comparisonSections(found, { value: 5, unit: '%' });
    isGolden('compare.txt', asMarkdown(sections));
    for (const columns of [80, 100, 120]) {
      const screen = { isTerminal: true, columns, hasColors: false };
      const text = asTerminal(sections, [comparisonAnswer(comparisons)], screen);
      isGolden(`compare.terminal-${columns}.txt`, text);
    }
  });

  test('of two revisions: warnings have no marks, since no row has one', () => {
    const revisions = changed([...around('other', 10.5), ...around('same', 10)], (result) => {
      const taskOf = (name: string) => ({ ...fakeTask(name, [name]), title: `GET /${name}` });
      result.suite.tasks = ['other', 'same'].map(taskOf);
      for (const pair of result.pairs) pair.task = pair.scenario;
      result.suite.skipped = [
        { scenario: 'Added', fault: { ...fault, what: 'not in main (abc)' }, tasks: [] },
      ];
      for (const { duets } of result.pairs)
        for (const { scenario } of duets) scenario.toolSleeps = scenario.requests;
      asRevisions(result);
    });
    const report = revisionsReport(analyse(revisions));
    isGolden('compare-git.txt', asMarkdown(comparisonSections(report)).trimEnd());
    const options = { failAbove: { value: 5, unit: '%' }, allowMissing: true } as const;
    const judgement = judgeComparisons(report.comparisons, options)[0] as Judgement;
    const comment = asPullRequestComment({ report, judgement, failingWarnings: 0 });
    isGolden('compare-git.pull-request.txt', comment);
    expect(() => revisionsReport(analyse(old))).toThrow('not of two revisions');
  });
});

describe('hostile text', () => {
  test.each(FORMAT_NAMES)('%s: nothing that a terminal obeys', (format) => {
    const text = printed(format, fakeAnalysis(makeHostile));
    expect(printable(text)).toBe(text);
    const title = HOSTILE.replace(/[\u009b\u202e]/g, '\ufffd');
    if (format === 'json') expect(JSON.parse(text).header.suite.title).toBe(title);
  });

  test.each(['docs', 'full'] as const)('%s: shows as text, in its cell', (format) => {
    for (const tasks of [['default'], ['a', 'b']]) {
      const run = fakeAnalysis((result) => {
        for (const change of [severalTasks(...tasks), makeHostile]) change(result);
      });
      const report = printed(format, run);
      expect(report).not.toMatch(/<\w|(?<!\\)\]\(|(?<!\\)\*\*b|<!--|\n# h/);
      expect(report).toContain('&lt;script&gt;');
      for (const table of report.split('\n\n').filter((part) => part.startsWith('|'))) {
        const widths = table.split('\n').map((row) => row.split(/(?<!\\)\|/).length);
        expect(new Set(widths).size).toBe(1);
      }
    }
  });
});

test('a run for a precision says from how many to how many pairs rows have, and why it ended', () => {
  const costsUs = [19.8, 20.1, 20, 19.9, 20.2, 20];
  const run = fakeAnalysis(
    (result) => {
      const within = { value: 10, unit: '%' };
      Object.assign(result.configuration, { pairs: 4, mostPairs: 30, within });
      result.endReason = 'known';
    },
    [...fakePairs('base', [10, 10.01, 9.99, 10]), ...fakePairs('other', costsUs)],
  );
  expect(printed('docs', run)).toContain('4 to 6 pairs per row');
  expect(printed('full', run)).toContain(
    '10 pairs measured, in rounds of random order (seed 7): from 4 to 30 a row, ' +
      'until it is known within 10 %. All rows are known that well.',
  );
});
