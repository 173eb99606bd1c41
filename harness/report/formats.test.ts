import { expect, test } from 'bun:test';
import type { Result } from '../results/schema.ts';
import { fakeDuetFork, fakeMeasurement, fakeResult } from '../testing/fakes.ts';
import { comparisonReport } from './comparison.ts';
import { RENDERERS } from './formats.ts';
import { annotations } from './github.ts';
import { historyReport } from './history.ts';
import { codeBlock, codeSpan, markdownSafe } from './markdown.ts';
import { printable, printableJson } from './printable.ts';
import { sparkline } from './sparkline.ts';

const HOSTILE = '<script>alert(1)</script> | `x` ](http://evil) **b**\r\n# h \u001b[31m\u009b2J\u202e=1+1';

function hostile(): Result {
  const round = () => [fakeMeasurement('base', 1_000), fakeMeasurement('other', 2_000)];
  const result = fakeResult([round(), round(), round()]);
  result.duetForks = ['base', 'other'].flatMap((name) =>
    [11, 12, 13].map((us) => fakeDuetFork(name, 10, us)),
  );
  for (const scenario of result.suite.scenarios) scenario.title = HOSTILE;
  result.suite.title = HOSTILE;
  result.tool.version = HOSTILE;
  result.environment.cpu = HOSTILE;
  result.environment.runtime.version = HOSTILE;
  result.stoppedBy = HOSTILE;
  result.cpuClock = { name: HOSTILE };
  for (const { measurements } of result.soloRounds)
    for (const measurement of measurements) {
      measurement.command = ['bombardier', '`', HOSTILE];
      measurement.load.statistics = `\`\`\`\n${HOSTILE}\n<!-- /bench -->`;
    }
  return result;
}

/** The text without its fenced blocks and code spans. */
const prose = (markdown: string) =>
  markdown.replace(/^(`{3,})\n.*?\n\1$/gms, '').replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '');

test.each(['docs', 'full'] as const)('%s: hostile text shows as text, in table and notes', (format) => {
  const report = RENDERERS[format](hostile());
  expect(prose(report)).not.toMatch(/<\w|(?<!\\)\]\(|(?<!\\)\*\*b/);
  expect(report).toContain('&lt;script&gt;');
  expect(report).not.toContain('<!--');
  expect(prose(report)).not.toContain('\n# h');
  expect(printable(report)).toBe(report);
  const cells = report.split('\n').filter((line) => line.startsWith('|'));
  expect(new Set(cells.map((row) => row.split(/(?<!\\)\|/).length)).size).toBe(1);
});

test('what is harmless stays as it is, in Markdown too', () => {
  for (const text of [
    'Ten nested spans (one trace)',
    'AMD EPYC, Linux 6.18.44-fc x64',
    'snake_case 5 % & more',
    'v2.0+1',
  ])
    expect(markdownSafe({ text })).toEqual({ text });
  expect(markdownSafe({ text: '_a_ ~b~ &lt; \\|' })).toEqual({ text: '\\_a\\_ \\~b\\~ &amp;lt; \\\\\\|' });
  expect(codeSpan('a`b')).toBe('``a`b``');
  expect(codeBlock('```')).toBe('````\n```\n````');
  expect(Object.keys(markdownSafe(JSON.parse('{"__proto__":{"a":"*"}}')))).toEqual(['__proto__']);
});

test('control characters: shown to a terminal, and the same text in JSON', () => {
  expect(printable('a\u001b[0m\rb\r\n\tc\u0085\u2066')).toBe('a\ufffd[0m\ufffdb\r\n\tc\ufffd\ufffd');
  const json = RENDERERS.json(hostile());
  expect(printable(json)).toBe(json);
  expect(JSON.parse(json).suite.title).toBe(HOSTILE);
  expect(printableJson('"\u009b"')).toBe('"\\u009b"');
});

test('CSV: units in headings, full precision, RFC 4180, no formula for a spreadsheet', () => {
  const result = hostile();
  const [base, other] = result.suite.scenarios;
  if (!base || !other) throw new Error('no scenarios');
  base.title = '=HYPERLINK("http://evil"),1';
  other.title = '-1+1';
  const [headings, ...rows] = RENDERERS.csv(result).split('\r\n');
  const columns = headings?.split(',') ?? [];
  expect(columns).toContain('cpu_change_us_per_request_low95');
  expect(rows.length).toBe(2);
  expect(rows[0]).toContain(`"'=HYPERLINK(""http://evil""),1"`);
  const cells = rows[1]?.split(',') ?? [];
  expect(cells.length).toBe(columns.length);
  expect(cells[columns.indexOf('title')]).toBe("'-1+1");
  expect(cells[columns.indexOf('latency_change_us')]).toBe('1000');
  expect(Number(cells[columns.indexOf('cpu_ratio')])).toBeCloseTo(1.197, 3);
});

test('CSV: what was not measured is empty', () => {
  const cells = RENDERERS.csv(fakeResult([])).split('\r\n')[1]?.split(',') ?? [];
  expect(cells.slice(0, 6)).toEqual(['fake', 'default', 'base', 'Baseline', '', '100']);
  expect(new Set(cells.slice(6))).toEqual(new Set(['', '0']));
});

test('benchfmt: a line for each scenario and fork or round, none for an invalid one', () => {
  const result = hostile();
  result.suite.name = 'my suite';
  result.duetForks[0]?.invalid.push('broken');
  const lines = RENDERERS.benchfmt(result).split('\n');
  expect(lines).toContain('connections: 100');
  const measured = lines.filter((line) => line.startsWith('Benchmark'));
  expect(measured.length).toBe(6 + 5);
  expect(measured[1]).toBe(
    'BenchmarkMy_suite/scenario=other/by=solo 1000 2000000 latency-ns/req 6000000 p99-latency-ns/req 1000 req/s',
  );
  for (const line of lines)
    expect(line).toMatch(/^(Benchmark\S+ \d+( \d[\d.e+-]* \S+)+|[a-z]+: .+|Unit .+)$/);
});

test('GitHub: annotations with its escapes', () => {
  const interval = { low: 0.04, high: 0.06 };
  const cost = { by: 'cpu', oldUs: 1, newUs: 2, changeUs: 1, relative: 0.05 } as const;
  const shared = { task: 'default', scenario: 's', missing: null };
  const worse = {
    ...cost,
    changeUsInterval: interval,
    relativeInterval: interval,
    verdict: 'worse',
  } as const;
  const report = {
    limit: { value: 3, unit: '%' } as const,
    differences: ['cpu: 100%\n::error::x'],
    comparisons: [
      { ...shared, title: 'a, b: 5%\r\n', cost: worse },
      { ...shared, title: 'same', cost: { ...worse, verdict: '~' as const } },
      { ...shared, title: 'gone', cost: null, missing: 'not in the new result' },
    ],
  };
  const lines = annotations(report);
  expect(lines).toEqual([
    expect.stringMatching(
      /^::error title=tracetax%3A a%2C b%3A 5%25%0D%0A::\+1\.00 µs .*\+5\.0 %25 .*: above 3%25$/,
    ),
    '::warning title=tracetax%3A gone::Not compared: not in the new result',
    '::warning title=tracetax%3A not comparable::cpu: 100%25%0A::error::x',
  ]);
  expect(comparisonReport(report)).toContain('1 of 3 intervals lies wholly above 3%.');
});

test('sparkline', () => {
  expect(sparkline([1, 2, undefined, 8])).toBe('▁▂·█');
  expect(sparkline([5, 5])).toBe('▄▄');
  expect(sparkline([])).toBe('');
});

test('history: newest last, a course for the same suite on the same machine', () => {
  const entry = (day: number, us: number, cpu = 'Test CPU') => ({
    file: `${day}.json`,
    result: {
      ...fakeResult([]),
      startedAt: `2026-11-0${day}T00:00:00.000Z`,
      environment: { ...fakeResult([]).environment, cpu },
      duetForks: [1, 2, 3].map(() => fakeDuetFork('other', 10, us)),
    },
  });
  const report = historyReport([entry(3, 13), entry(1, 11), entry(2, 99, 'Else'), entry(4, 12.5)]);
  const [list, course, ...more] = report.split('\n\n');
  expect(list?.split('\n').map((line) => line.split(/ {2}/).at(-1))).toEqual([
    '1.json',
    '2.json',
    '3.json',
    '4.json',
  ]);
  expect(course).toBe(
    'Fake on Test CPU, cost of a request over the baseline:\n  ▁█▆  Other: +1.00 µs to +2.50 µs',
  );
  expect(more).toEqual([]);
});
