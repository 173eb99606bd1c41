/**
 * Prints every table and every figure of the documents again, and draws every picture, from the
 * results that the documents name:
 *
 *     bun run tables
 *
 * A block gets what the first `results/FILE.json` of its document gives that is of its suite: `<!--
 * bench:SUITE -->` all that a run prints, `bench:SUITE-brief` that without what its document says
 * once, `bench:SUITE-table` the first table, and `bench:SUITE-SCENARIO` where the cost of a scenario
 * lies.
 * `pictures/SUITE-light.svg` and `-dark` are drawn of it, too. What has no result yet stays as it
 * is. How a figure in a sentence names its result is told in `figures/marks.ts`; what is wrong with
 * one is told in the end.
 */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Run } from '../harness/analysis/analysis.ts';
import { explain } from '../harness/explain/explanation.ts';
import { profilesFolder, readProfiles } from '../harness/explain/profiles.ts';
import { summary } from '../harness/explain/tables.ts';
import { withoutDetails } from '../harness/machine/processor.ts';
import type { Section, Table } from '../harness/report/cells.ts';
import { replaceBlocks } from '../harness/report/document-blocks.ts';
import { factsLine } from '../harness/report/facts-line.ts';
import { FORMATS } from '../harness/report/formats/list.ts';
import { asMarkdown } from '../harness/report/formats/markdown.ts';
import { picture } from '../harness/report/picture/picture.ts';
import { viewOf } from '../harness/report/view.ts';
import { figureFaults, printFigures } from './figures/printed.ts';
import { Results } from './figures/results.ts';

export const ROOT = resolve(import.meta.dir, '..');

/** Their names, relative to the root. */
export const DOCUMENTS = globSync(
  ['README.md', 'CONTRIBUTING.md', 'docs/*.md', 'inspector/README.md'],
  { cwd: ROOT },
);

const RESULTS = new Results(join(ROOT, 'results'), DOCUMENTS.map(textOf));

function textOf(document: string): string {
  return readFileSync(join(ROOT, document), 'utf8');
}

/** Returns a line for each figure in the prose of a document that its result does not give. */
export function figureFaultsIn(document: string): string[] {
  return figureFaults(textOf(document), RESULTS).map((fault) => `${document}, ${fault}`);
}

/**
 * Returns the document with all its tables and figures printed again, and its pictures: the content
 * of each file, by its path from the root.
 */
export function renewed(document: string): Record<string, string> {
  const read = textOf(document);
  let text = printFigures(read, RESULTS);
  const pictures: Record<string, string> = {};
  for (const { file, run } of resultsNamedIn(read).reverse()) {
    const { name } = run.header.suite;
    for (const block of blocksOf(text, name)) {
      const content = printed(run, block.view, join(ROOT, 'results', file));
      if (content !== undefined) text = replaceBlocks(text, block.name, content);
    }
    for (const theme of ['light', 'dark'] as const)
      if (text.includes(`pictures/${name}-${theme}.svg`))
        pictures[`docs/pictures/${name}-${theme}.svg`] = picture(run, theme);
  }
  return { [document]: text, ...pictures };
}

function filesNamedIn(document: string): string[] {
  return [...document.matchAll(/results\/([\w.-]+\.json)/g)].map(([, file = '']) => file);
}

/** Those that are there, and of a run. */
function resultsNamedIn(document: string): { file: string; run: Run }[] {
  return filesNamedIn(document).flatMap((file) => {
    const run = RESULTS.run(file);
    return run ? [{ file, run }] : [];
  });
}

/** Returns the blocks of a suite, and what each shows of it: nothing for all that a run prints. */
function blocksOf(document: string, suite: string): { name: string; view: string }[] {
  return [...document.matchAll(/<!-- bench:([\w.-]+) -->/g)].flatMap(([, name = '']) => {
    if (name === suite) return [{ name, view: '' }];
    return name.startsWith(`${suite}-`) ? [{ name, view: name.slice(suite.length + 1) }] : [];
  });
}

/** Undefined for a scenario that is none, or was not profiled. */
function printed(run: Run, view: string, file: string): string | undefined {
  if (view === '') return FORMATS.docs(run);
  if (view === 'brief') return briefText(run);
  if (view === 'table')
    return asMarkdown([{ tables: viewOf(run).brief.tables?.slice(0, 1) ?? [] }]);
  if (!existsSync(profilesFolder(file))) return undefined;
  const sections = run.tasks.flatMap(({ name, baseline, rows }) => {
    const own = rows.filter(({ scenario }) => scenario === view);
    return own.map((row) =>
      summary(explain(row, baseline.title, readProfiles(profilesFolder(file), name, view))),
    );
  });
  return sections.length > 0 ? asMarkdown(sections) : undefined;
}

/**
 * Returns the tables, those of what servers take beside their work folded, and how they came about:
 * without what a document says once, such as what signs mean, without remedies, since who reads a
 * document does not measure, and without the processor's details and the commit, which the result
 * has.
 */
function briefText(run: Run): string {
  const { header } = run;
  const { environment } = header;
  const warnings = run.warnings.map((warning) => ({ ...warning, remedy: '' }));
  const { brief, footprint } = viewOf({ ...run, warnings });
  const tables = (brief.tables ?? []).map((table) =>
    table === footprint ? folded(table) : asMarkdown([{ tables: [table] }]),
  );
  const cpu = withoutDetails(environment.cpu);
  const onMachine = { ...header, environment: { ...environment, cpu } };
  const paragraphs = [factsLine({ ...run, header: onMachine })];
  const below: Section = { ...brief, tables: [], list: [], paragraphs };
  return [...tables, asMarkdown([below])].filter((part) => part !== '').join('\n\n');
}

/** Returns a table that a reader opens if its columns are asked for. */
function folded(table: Table): string {
  const headings = table.figures.map(({ heading }) => heading);
  const names = headings.map((heading) =>
    heading.replace(/ per .*/, '').replace('Exported', 'Exports'),
  );
  const summary = `<summary>${[...new Set(names)].join(', ')}</summary>`;
  return `<details>${summary}\n\n${asMarkdown([{ tables: [table] }])}\n\n</details>`;
}

if (import.meta.main) {
  mkdirSync(join(ROOT, 'docs/pictures'), { recursive: true });
  for (const document of DOCUMENTS)
    for (const [path, content] of Object.entries(renewed(document)))
      writeFileSync(join(ROOT, path), content);
  // A figure of another length moves the columns of the table that it stands in.
  Bun.spawnSync(['biome', 'format', '--write', ...DOCUMENTS], { cwd: ROOT, stderr: 'inherit' });
  const faults = DOCUMENTS.flatMap(figureFaultsIn);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
