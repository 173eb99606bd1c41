import { describe, expect, test } from 'bun:test';
import type { FoundTool } from '../load/find.ts';
import { Host } from '../load/host.ts';
import { vegeta } from '../load/vegeta.ts';
import { wrk } from '../load/wrk.ts';
import { taskSchema } from '../suite/suite-schema.ts';
import { fakePlan, fakeRows } from '../testing/fake-plan.ts';
import { quoteCommand } from '../words/text.ts';
import { dryRun } from './dry-run.ts';

const request = { method: 'POST', bodyFile: '/here/the body' };
const { exchanges } = taskSchema.parse({ name: 'default', exchanges: [{ request }] });
const plan = fakePlan({}, fakeRows({ exchanges }));
const TOOL: FoundTool = { tool: wrk, version: '4', path: 'wrk', host: undefined };
const [SCRIPT = ''] = wrk.files ?? [];

/** The commands that make load. */
function loadLines(printed: string): string[] {
  return printed.split('\n').filter((line) => line.includes('http://'));
}

test('a dry run says with which load tool, and to install it if it is missing', () => {
  const firstLine = (tool: FoundTool) => dryRun({ plan, tool }).split('\n')[0];
  expect(firstLine(TOOL)).toMatch(/^# wrk 4, for about .*, on free ports\.$/);
  const missing = 'It is not installed here: install it before you measure.';
  expect(firstLine({ ...TOOL, version: null })).toMatch(`, on free ports. ${missing}`);
  const atRates = { ...TOOL, tool: vegeta, version: '12' };
  expect(firstLine({ ...TOOL, atRates })).toMatch(/^# wrk 4, and vegeta 12 at steady rates, for/);
  const there = firstLine({ ...TOOL, version: null, host: new Host('loader') });
  expect(there).toContain('It is not installed on loader');
});

describe('a dry run prints the files that the load tool reads', () => {
  test('as they are called here, if it runs here', () => {
    const printed = dryRun({ plan, tool: TOOL });
    expect(loadLines(printed)).toHaveLength(10);
    for (const line of loadLines(printed)) expect(line).toContain("'/here/the body'");
    expect(printed).not.toContain('ssh');
  });

  test('as they are called on the load host, after what copies them there', () => {
    const printed = dryRun({ plan, tool: { ...TOOL, host: new Host('loader') } });
    expect(printed).toContain(
      [
        '# what the load needs on loader: a run has a folder of its own there',
        "ssh loader 'mkdir -p tracetax'",
        `ssh loader 'cat >tracetax/0-wrk-summary.lua' <${quoteCommand([SCRIPT])}`,
        "ssh loader 'cat >'\\''tracetax/1-the body'\\''' <'/here/the body'",
      ].join('\n'),
    );
    expect(loadLines(printed)).toHaveLength(10);
    for (const line of loadLines(printed)) {
      expect(line).toMatch(/^ssh loader .* tracetax\/0-wrk-summary\.lua .*tracetax\/1-the body/);
      expect(line).not.toContain('/here/');
      expect(line).not.toContain(SCRIPT);
    }
  });
});

test('a dry run shows no slices that a run would not have', () => {
  const printed = dryRun({ plan: fakePlan({ duetSlices: 0 }), tool: TOOL });
  expect(printed).toContain('# alternating slices');
  expect(printed).not.toMatch(/duet slices|turns/);
});
