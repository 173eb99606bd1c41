import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { readResult } from '../../results/file.ts';
import { htmlReport } from './html.ts';
import { plotSvgs } from './plots.ts';

const CHROMIUM = '/usr/bin/chromium';
const RESULTS = resolve(import.meta.dir, '../../../results');
const WIDTHS = [375, 1280];
const SCHEMES = ['light', 'dark'] as const;
const VIEWS = WIDTHS.flatMap((width) => SCHEMES.map((scheme) => [width, scheme] as const));

/** Runs in the page, where there are types that the rest of the project must not have: so it is text here. */
const LOOK = `({
  scrollWidth: document.documentElement.scrollWidth,
  marks: [...document.querySelectorAll('figure svg')].map((svg) => svg.querySelectorAll('.role-mark path').length),
  ink: getComputedStyle(document.body).color,
  paper: getComputedStyle(document.body).backgroundColor,
  label: getComputedStyle(document.querySelector('figure svg text')).fill,
})`;
interface Seen {
  scrollWidth: number;
  marks: number[];
  ink: string;
  paper: string;
  label: string;
}

const CUT_TEXTS = `[...document.querySelectorAll('figure svg')].flatMap((svg) => {
  const frame = svg.getBoundingClientRect();
  const isCut = ({ left, right, top, bottom }) =>
    left < frame.left - 1 || right > frame.right + 1 || top < frame.top - 1 || bottom > frame.bottom + 1;
  const texts = [...svg.querySelectorAll('text')].filter((text) => isCut(text.getBoundingClientRect()));
  return texts.map(({ textContent }) => textContent);
})`;

describe.skipIf(!existsSync(CHROMIUM))('in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tracetax-html-'));
  const page = pathToFileURL(join(folder, 'report.html')).href;
  let browser: Browser;

  beforeAll(async () => {
    const result = readResult(`${RESULTS}/levels-epyc-2core.json`);
    const [scenario] = result.suite.scenarios;
    if (scenario) scenario.title = `<script>alert("${'x'.repeat(200)}")</script>`;
    writeFileSync(join(folder, 'report.html'), await htmlReport(result));
    for (const [name, svg] of Object.entries(await plotSvgs(result)))
      writeFileSync(join(folder, `${name}.svg`), svg);
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });

  /** Opens the page, and keeps what it asks for and complains about. */
  async function open(url: string, width: number, colorScheme: (typeof SCHEMES)[number]) {
    const tab = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
    const seen: string[] = [];
    tab.on('console', (message) => seen.push(message.text()));
    tab.on('pageerror', (error) => seen.push(error.message));
    tab.on('dialog', (dialog) => seen.push(dialog.message()));
    tab.on('request', (request) => seen.push(request.url()));
    await tab.goto(url);
    return { tab, seen: seen.filter((each) => each !== url && each !== 'data:,') };
  }

  test.each(VIEWS)(
    'at %d px, %s: quiet, drawn, legible, and no wider than the screen',
    async (width, scheme) => {
      const { tab, seen } = await open(page, width, scheme);
      expect(seen).toEqual([]);
      const { scrollWidth, marks, ink, paper, label } = await tab.evaluate<Seen>(LOOK);
      expect(scrollWidth).toBeLessThanOrEqual(width);
      expect(marks).toHaveLength(5);
      expect(Math.min(...marks)).toBeGreaterThan(3);
      expect(label).toBe(ink);
      expect(luminance(paper) > luminance(ink)).toBe(scheme === 'light');
      await tab.close();
    },
    30_000,
  );

  test('every text of a plot lies within its drawing', async () => {
    const { tab } = await open(page, 375, 'light');
    const cut = await tab.evaluate<string[]>(CUT_TEXTS);
    expect(cut).toEqual([]);
    await tab.close();
  }, 30_000);

  test('a plot opens as a file of its own', async () => {
    const { tab, seen } = await open(pathToFileURL(join(folder, 'slices.svg')).href, 375, 'dark');
    expect(seen).toEqual([]);
    expect(await tab.evaluate<number>("document.querySelectorAll('.role-mark path').length")).toBeGreaterThan(
      100,
    );
    await tab.close();
  }, 30_000);
});

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map(Number);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
