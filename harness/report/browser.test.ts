import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { historyOf } from '../analysis/history.ts';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import { testFolder } from '../testing/folder.ts';
import { fakeRunAt } from '../testing/histories.ts';
import { historyPage } from './history/page.ts';
import { page } from './page.ts';
import { picture } from './picture/picture.ts';

setDefaultTimeout(120_000);

const CHROMIUM = '/usr/bin/chromium';
const SCHEMES = ['light', 'dark'] as const;
const VIEWS = [375, 1280].flatMap((width) => SCHEMES.map((scheme) => [width, scheme] as const));

/**
 * Run in the page, where there are types that the rest of the project must not have: so they are
 * text here.
 */
const LOOK = `({
  scrollWidth: document.documentElement.scrollWidth,
  marks: [...document.querySelectorAll('svg')].filter((svg) => svg.checkVisibility()).map((svg) => svg.querySelectorAll('circle').length),
  ink: getComputedStyle(document.body).color,
  paper: getComputedStyle(document.body).backgroundColor,
  label: getComputedStyle(document.querySelector('svg text')).fill,
})`;

/** What the page looks like. */
interface Seen {
  scrollWidth: number;
  /** The number of marks in each drawing. */
  marks: number[];
  /** Colours of text, of the background, and of text in a drawing. */
  ink: string;
  paper: string;
  label: string;
}

/** Unfolds all of a page, and shows what needs it. */
const UNFOLD = `for (const details of document.querySelectorAll('details')) details.open = true`;

/** This script finds texts of a drawing that are cut off at its edge, or that lie over another. */
const BAD_TEXTS = `[...document.querySelectorAll('svg')].filter((svg) => svg.checkVisibility()).flatMap((svg) => {
  const frame = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll('text')].map((text) => ({
    text: text.textContent,
    box: text.getBoundingClientRect(),
  }));
  const isCut = ({ box }) =>
    box.left < frame.left - 1 || box.right > frame.right + 1 ||
    box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
  const isOver = (one) => texts.some((other) => one !== other &&
    one.box.left < other.box.right && other.box.left < one.box.right &&
    one.box.top + 3 < other.box.bottom && other.box.top + 3 < one.box.bottom);
  return texts.filter((each) => isCut(each) || isOver(each)).map(({ text }) => text);
})`;

const HISTORY_DAYS = 25;

/** Results of many days, each on a machine of its own: so many marks stand close together. */
function longHistory() {
  const days = Array.from({ length: HISTORY_DAYS }, (_, index) => index + 1);
  return historyOf(
    days.map((day) =>
      fakeRunAt(day, 20 + day, 10, ({ environment, suite }) => {
        environment.cpu = `Machine ${day}`;
        for (const scenario of suite.scenarios) scenario.title = `Tracing ${'W'.repeat(60)}`;
      }),
    ),
  );
}

describe.skipIf(!existsSync(CHROMIUM))('in a browser', () => {
  const files = testFolder();
  const urlOf = (name: string) => pathToFileURL(files.path(name)).href;
  let browser: Browser;

  beforeAll(async () => {
    const analysis = fakeAnalysis((result) => {
      const titles = [
        `<script>alert("${'x'.repeat(200)}")</script>`,
        `Tracing and metrics ${'W'.repeat(60)}`,
      ];
      for (const [index, title] of titles.entries())
        Object.assign(result.suite.scenarios[index] ?? {}, { title });
    });
    files.write('page.html', page(analysis));
    files.write('history.html', historyPage(longHistory()));
    for (const scheme of SCHEMES) files.write(`${scheme}.svg`, picture(analysis, scheme));
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });

  afterAll(() => browser?.close());

  /** Opens a page, and keeps what it asks for and complains about. */
  async function open(url: string, width: number, colorScheme: (typeof SCHEMES)[number]) {
    const tab = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
    const seen: string[] = [];
    tab.on('console', (message) => seen.push(message.text()));
    tab.on('pageerror', (error) => seen.push(error.message));
    tab.on('dialog', (dialog) => seen.push(dialog.message()));
    tab.on('request', (request) => seen.push(request.url()));
    await tab.goto(url);
    await tab.evaluate(UNFOLD);
    return { tab, seen: seen.filter((each) => each !== url && each !== 'data:,') };
  }

  test.each(VIEWS)(
    'at %d px, %s: quiet, drawn, legible, and no wider than the screen',
    async (width, scheme) => {
      const { tab, seen } = await open(urlOf('page.html'), width, scheme);
      expect(seen).toEqual([]);
      const { scrollWidth, marks, ink, paper, label } = await tab.evaluate<Seen>(LOOK);
      expect(scrollWidth).toBeLessThanOrEqual(width);
      // One for this width of each: costs, latencies, slices.
      expect(marks).toHaveLength(3);
      expect(marks[0]).toBeGreaterThan(10);
      expect(label).toBe(ink);
      expect(luminance(paper) > luminance(ink)).toBe(scheme === 'light');
      expect(await tab.evaluate<string[]>(BAD_TEXTS)).toEqual([]);
    },
  );

  test.each(VIEWS)(
    'a history at %d px, %s: a panel for each row, legible, and no wider than the screen',
    async (width, scheme) => {
      const { tab, seen } = await open(urlOf('history.html'), width, scheme);
      expect(seen).toEqual([]);
      const { scrollWidth, marks, ink, label } = await tab.evaluate<Seen>(LOOK);
      expect(scrollWidth).toBeLessThanOrEqual(width);
      expect(marks).toEqual([HISTORY_DAYS]);
      expect(label).toBe(ink);
      expect(await tab.evaluate<string[]>(BAD_TEXTS)).toEqual([]);
    },
  );

  test('a press on a heading sorts a table by it, and once more the other way round', async () => {
    const { tab, seen } = await open(urlOf('page.html'), 1280, 'light');
    const heading = tab.locator('thead button').nth(2);
    const firstFigure = tab.locator('tbody tr').first().locator('td').nth(1);
    await heading.click();
    const least = await firstFigure.textContent();
    await heading.click();
    expect(least).toStartWith('n.s.');
    expect(await firstFigure.textContent()).toContain('10.0 µs');
    expect(seen).toEqual([]);
  });

  test.each([...SCHEMES])(
    'the %s picture is a file of its own, its texts apart and within it',
    async (scheme) => {
      const { tab, seen } = await open(urlOf(`${scheme}.svg`), 860, scheme);
      expect(seen).toEqual([]);
      expect(await tab.evaluate<string[]>(BAD_TEXTS)).toEqual([]);
      expect(
        await tab.evaluate<number>("document.querySelectorAll('circle').length"),
      ).toBeGreaterThan(20);
    },
  );
});

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map(Number);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
