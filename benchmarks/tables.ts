/**
 * Prints every table of the documents again, and draws every picture, from the results that the
 * documents name:
 *
 *     bun run tables
 *
 * A block gets what the first `results/FILE.json` of its document gives that is of its suite: `<!--
 * bench:SUITE -->` all that a run prints, `bench:SUITE-brief` that without what its document says
 * once, with the commit, `bench:SUITE-table` the first table, `bench:SUITE-exporting` its rows that
 * export spans, and `bench:SUITE-SCENARIO` where the cost of a scenario lies.
 * `pictures/SUITE-light.svg` and `-dark` are drawn of it, too. What has no result yet stays as it
 * is.
 */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { analyse, type Run } from '../harness/analysis/analysis.ts';
import { explain } from '../harness/explain/explanation.ts';
import { profilesFolder, readProfiles } from '../harness/explain/profiles.ts';
import { summary } from '../harness/explain/tables.ts';
import type { Cell, Table } from '../harness/report/cells.ts';
import { replaceBlocks } from '../harness/report/document-blocks.ts';
import { FORMATS } from '../harness/report/formats/list.ts';
import { asMarkdown } from '../harness/report/formats/markdown.ts';
import { withWhat } from '../harness/report/how-measured.ts';
import { picture } from '../harness/report/picture/picture.ts';
import { viewOf } from '../harness/report/view.ts';
import { readResult } from '../harness/result/file.ts';

export const ROOT = resolve(import.meta.dir, '..');

/** Their names, relative to the root. */
export const DOCUMENTS = globSync(
  ['README.md', 'CONTRIBUTING.md', 'docs/*.md', 'inspector/README.md'],
  { cwd: ROOT },
);

/**
 * The document with all its tables printed again, and its pictures: the content of each file, by
 * its path from the root.
 */
export function renewed(document: string): Record<string, string> {
  const contents = { [document]: readFileSync(join(ROOT, document), 'utf8') };
  const named = [...(contents[document] ?? '').matchAll(/results\/[\w.-]+\.json/g)];
  for (const [file] of named.reverse()) {
    if (!isResult(file)) continue;
    const run = analyse(readResult(join(ROOT, file)));
    const { name } = run.header.suite;
    for (const [, block = ''] of contents[document]?.matchAll(/<!-- bench:([\w.-]+) -->/g) ?? []) {
      const view =
        block === name
          ? ''
          : block.startsWith(`${name}-`)
            ? block.slice(name.length + 1)
            : undefined;
      const text = view === undefined ? undefined : printed(run, view, join(ROOT, file));
      if (text !== undefined)
        contents[document] = replaceBlocks(contents[document] ?? '', block, text);
    }
    for (const theme of ['light', 'dark'] as const)
      if (contents[document]?.includes(`pictures/${name}-${theme}.svg`))
        contents[`docs/pictures/${name}-${theme}.svg`] = picture(run, theme);
  }
  return contents;
}

/** Whether it is there, and of a run. */
const isResult = (file: string) =>
  existsSync(join(ROOT, file)) &&
  JSON.parse(readFileSync(join(ROOT, file), 'utf8')).kind === 'tracetax';

/** Undefined for a scenario that is none, or was not profiled. */
function printed(run: Run, view: string, file: string): string | undefined {
  if (view === '') return FORMATS.docs(run);
  if (view === 'brief') {
    const { header } = run;
    const unremarked = { ...run, header: { ...header, suite: { ...header.suite, remarks: [] } } };
    const { brief } = viewOf(unremarked);
    const { gitRevision } = header.environment;
    // A result that was sent may be measured outside a clone.
    const paragraph = [
      withWhat(run),
      ...(gitRevision === null ? [] : [`Commit ${gitRevision}.`]),
    ].join(' ');
    return asMarkdown([{ ...brief, paragraphs: [paragraph] }]);
  }
  if (view === 'table')
    return asMarkdown([{ tables: viewOf(run).brief.tables?.slice(0, 1) ?? [] }]);
  if (view === 'exporting') return asMarkdown([{ tables: [exporting(run)] }]);
  if (!existsSync(profilesFolder(file))) return undefined;
  const sections = run.tasks.flatMap(({ name, baseline, rows }) => {
    const own = rows.filter(({ scenario }) => scenario === view);
    return own.map((row) =>
      summary(explain(row, baseline.title, readProfiles(profilesFolder(file), name, view))),
    );
  });
  return sections.length > 0 ? asMarkdown(sections) : undefined;
}

/** The first table without rows that export nothing, but with the baseline. */
function exporting(run: Run): Table {
  const [table] = viewOf(run).brief.tables as [Table];
  const rows = run.tasks.flatMap((task) =>
    task.rows.filter(
      ({ figures, pairs }) => !figures || pairs.some(({ exported }) => exported.scenario),
    ),
  );
  const titles = [
    ...run.tasks.map(({ baseline }) => baseline.title),
    ...rows.map(({ title }) => title),
  ];
  const isKept = ([name]: Cell[]) => titles.some((title) => name?.text.startsWith(title));
  return { ...table, rows: table.rows.filter(isKept) };
}

if (import.meta.main) {
  mkdirSync(join(ROOT, 'docs/pictures'), { recursive: true });
  for (const document of DOCUMENTS)
    for (const [path, content] of Object.entries(renewed(document)))
      writeFileSync(join(ROOT, path), content);
}
