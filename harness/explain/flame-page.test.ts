import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { type Browser, chromium } from 'playwright-core';
import { Profile } from 'pprof-format';
import type { Row } from '../analysis/rows.ts';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import { fakeSide, frame } from '../testing/fake-profiles.ts';
import { cleanPairs } from '../testing/fakes.ts';
import { explain } from './explanation.ts';
import { explanationPage } from './flame-page.ts';
import { pprofOf } from './pprof.ts';

const CHROMIUM = '/usr/bin/chromium';
const HOSTILE = '</script><script>alert(1)</script>';

const [gone, same, grown] = [frame('gone', 'hono'), frame('same', 'hono'), frame(HOSTILE, 'tracer')];
const pair = {
  baseline: fakeSide('baseline', [
    [[gone], 3],
    [[same], 2],
  ]),
  scenario: fakeSide('scenario', [
    [[same], 2],
    [[grown], 5],
  ]),
};
const row = fakeAnalysis().tasks[0]?.rows[0] as Row;
const explained = explain({ ...row, label: HOSTILE }, 'Base', cleanPairs(), [pair, pair]);

test('pprof reads the same: ns of a request that sum to what was measured', () => {
  for (const side of ['baseline', 'scenario'] as const) {
    const { sample, stringTable } = Profile.decode(gunzipSync(pprofOf(explained, side)));
    const ns = sample.reduce((sum, { value }) => sum + Number(value[0]), 0);
    expect(ns / 1e3).toBeCloseTo(explained.measured.us[side], 2);
    expect(stringTable.strings).toContain('same [hono]');
  }
});

/** Run in the page: the frames of each graph, their widths and colours. */
const LOOK = `[...document.querySelectorAll('.flame')].map((graph) => Object.fromEntries(
  [...graph.querySelectorAll('.frame')].map((frame) => [
    frame.getAttribute('name'),
    { width: Math.round(frame.querySelector('rect').getBoundingClientRect().width), fill: frame.querySelector('rect').getAttribute('fill') },
  ])))`;
/**
 * Run in the page: the same, when the frames have got their widths. In the end the one takes more than twice the room of the
 * other. "waitForFunction" would evaluate text in the page, which its policy forbids.
 */
const LOOK_WHEN_DRAWN = `new Promise((resolve) => {
  const look = () => {
    const [scenario, baseline] = ${LOOK};
    const isDrawn = baseline?.gone?.width > 0 && scenario[${JSON.stringify(HOSTILE)}]?.width > 2 * scenario.same?.width;
    if (isDrawn) resolve([scenario, baseline]);
    else requestAnimationFrame(look);
  };
  look();
})`;
type Graph = Record<string, { width: number; fill: string }>;

describe.skipIf(!existsSync(CHROMIUM))('the page in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tracetax-flame-'));
  const file = join(folder, 'page.html');
  let browser: Browser;
  beforeAll(async () => {
    writeFileSync(file, await explanationPage('Suite', [explained]));
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  test.each([375, 1280])(
    'at %d px: quiet, drawn both ways, coloured by change, and no wider than the screen',
    async (width) => {
      const tab = await browser.newPage({ viewport: { width, height: 800 } });
      const seen: string[] = [];
      tab.on('console', (message) => seen.push(message.text()));
      tab.on('pageerror', (error) => seen.push(error.message));
      tab.on('dialog', (dialog) => seen.push(dialog.message()));
      tab.on('request', (request) => seen.push(request.url()));
      const url = pathToFileURL(file).href;
      await tab.goto(url);
      const [scenario, baseline] = await tab.evaluate<[Graph, Graph]>(LOOK_WHEN_DRAWN);
      expect(seen.filter((each) => each !== url && each !== 'data:,')).toEqual([]);
      expect(Object.keys(scenario)).toContainValues([HOSTILE, 'same']);
      expect(Object.keys(scenario)).not.toContain('gone');
      expect(scenario[HOSTILE]?.fill).toBe('rgb(255,150,50)');
      expect(baseline.gone?.fill).toBe('rgb(90,160,255)');
      expect(Number(scenario[HOSTILE]?.width)).toBeGreaterThan(2 * Number(scenario.same?.width));
      // The graph is still being drawn on a slow machine, and hears nothing yet.
      for (let tries = 0; tries < 20 && !(await tab.textContent('.label')); tries++) {
        await tab.hover('h1');
        await tab.hover('.flame .frame:has-text("same")');
        await Bun.sleep(50);
      }
      expect(await tab.textContent('.label')).toContain('same, hono: 2.000 µs in the baseline');
      expect(await tab.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      await tab.close();
    },
    30_000,
  );
});
