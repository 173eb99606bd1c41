import { expect, test } from 'bun:test';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { DOCUMENTS, figureFaultsIn, ROOT, renewed } from '../../benchmarks/tables.ts';
import { createProgram } from '../../harness/command-line/program.ts';
import { readResult } from '../../harness/result/file.ts';
import { scenarioSchema, suiteSchema } from '../../harness/suite/suite-schema.ts';
import { telemetrySchema } from '../../harness/suite/telemetry.ts';
import { files, scripts } from '../../package.json';

const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');
const all = DOCUMENTS.map(read).join('\n');
const shells = [...all.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) =>
  block.split('\n'),
);
const inline = [...all.matchAll(/`((?:scripts\/|bunx |npx |bun run )[^`\n]+)`/g)].map(
  ([, command = '']) => command,
);

const program = createProgram(() => {});

test('the suites that documents show are valid', () => {
  const examples = [...all.matchAll(/```json\n(.*?)```/gs)].map(([, example]) =>
    JSON.parse(example as string),
  );
  const suites = examples.filter((example) => 'scenarios' in example);
  expect(suites.length).toBeGreaterThan(0);
  for (const suite of suites) expect(suiteSchema.safeParse(suite).error).toBeUndefined();
  for (const telemetry of examples.filter((example) => 'span' in example || 'metrics' in example))
    expect(telemetrySchema.safeParse(telemetry).error).toBeUndefined();
});

test('the reference has every field of a suite, and every option', () => {
  const reference = read('docs/reference.md');
  const fields = [suiteSchema.def.in.def.shape, scenarioSchema.def.in.def.shape].flatMap(
    Object.keys,
  );
  const options = program.options.map(({ long }) => long ?? '');
  const missing = fields.filter(
    (field) => !new RegExp(`\\b${field.replace('$', '')}\\b`).test(reference),
  );
  expect(missing).toEqual([]);
  expect(options.length).toBeGreaterThan(20);
  expect(
    options.filter((option) => option !== '--version' && !reference.includes(`\`${option}`)),
  ).toEqual([]);
});

test('the reference has every suite of the repository', () => {
  const names = globSync(['*.ts', '*/suite.ts'], { cwd: join(ROOT, 'suites') }).map((path) =>
    path.replace(/\/suite\.ts$|\.ts$/, ''),
  );
  // It has a command of its own.
  const missing = names.filter(
    (name) => name !== 'calibration' && !read('docs/reference.md').includes(`\`${name}\``),
  );
  expect(missing).toEqual([]);
});

test('every result that is kept is named by a document, and was measured to its end', () => {
  // Runs that nobody published have their time for a name.
  const published = readdirSync(join(ROOT, 'results')).filter((name) =>
    /^(?!20\d\d-).*\.json$/.test(name),
  );
  for (const name of published) {
    expect(all).toContain(`results/${name}`);
    if (JSON.parse(read(`results/${name}`)).kind !== 'tracetax') continue;
    expect(readResult(join(ROOT, 'results', name))).toMatchObject({
      stoppedBy: null,
      endedAt: expect.any(String),
    });
  }
});

test.each(DOCUMENTS)(
  '%s: tables and pictures are what `bun run tables` makes of results',
  (document) => {
    for (const [path, content] of Object.entries(renewed(document)))
      expect(content).toBe(read(path));
  },
);

test.each(DOCUMENTS)('%s: each result that it names is there', (document) => {
  const named = [...read(document).matchAll(/results\/[\w.-]+\.(?:json|txt)/g)].map(
    ([file]) => file,
  );
  // Capitals stand for a name that a reader chooses.
  const missing = named.filter((file) => !/[A-Z]/.test(file) && !existsSync(join(ROOT, file)));
  expect(missing).toEqual([]);
});

test.each(DOCUMENTS)('%s: figures in prose are what results give', (document) => {
  expect(figureFaultsIn(document)).toEqual([]);
});

test('every block is closed', () => {
  const blocks =
    all.match(/^<!-- bench:[\w.-]+ -->(?:(?!<!-- bench:).)*?<!-- \/bench -->/gms) ?? [];
  expect(blocks.length).toBe((all.match(/^<!-- bench:/gm) ?? []).length);
});

/** Links to headings, as GitHub makes them. */
const anchorsOf = (document: string) =>
  Array.from(read(document).matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
const isPacked = (path: string) =>
  ['README.md', ...files].some((each) => `${path}/`.startsWith(`${each}/`));

test.each(DOCUMENTS)(
  '%s: each link leads to a file that is packed, and to a heading',
  (document) => {
    const links = [...read(document).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)];
    for (const [, link, picture] of links) {
      const [file = '', anchor] = (link ?? picture ?? '').split('#');
      if (/^https?:/.test(file)) continue;
      const target = file === '' ? document : normalize(join(dirname(document), file));
      const found = { link, exists: existsSync(join(ROOT, target)), isPacked: isPacked(target) };
      expect(found).toEqual({ link, exists: true, isPacked: true });
      if (anchor !== undefined) expect(anchorsOf(target)).toContain(anchor);
    }
  },
);

/** What documents say after `tracetax`. */
const called = [...shells, ...inline].flatMap((line) => {
  const [, args] = /^(?:scripts\/bench\.sh|(?:bunx|npx) tracetax)\b([^#|]*)/.exec(line) ?? [];
  return args === undefined ? [] : [args.trim().split(/\s+/)];
});

test('tracetax has each command and option that documents name', () => {
  const commands = program.commands.map((command) => command.name());
  const options = [program, ...program.commands].flatMap((command) =>
    command.options.map(({ long }) => long ?? ''),
  );
  expect(called.length).toBeGreaterThan(10);
  for (const [first = ''] of called)
    if (/^[a-z]+$/.test(first)) expect([...commands, 'help']).toContain(first);
  for (const word of called.flat())
    if (word.startsWith('--')) expect([...options, '--help']).toContain(word.split('=')[0] ?? '');
});

test('scripts, suites and benchmarks that documents name exist', () => {
  const isHere = (path: string) => existsSync(join(ROOT, path));
  const named = [...all.matchAll(/\b(?:scripts|benchmarks|suites|harness|tests)\/[\w./-]+\w/g)].map(
    ([path]) => path,
  );
  expect(named.filter((path) => !isHere(path) && !path.startsWith('suites/NAME'))).toEqual([]);
  const suites = called.flatMap((words) =>
    words.filter((_, index) => words[index - 1] === '--suite'),
  );
  const own = /^(NAME|FILE|SUITE|\.\/bench\/)/;
  const placesOf = (name: string) => [name, `suites/${name}.ts`, `suites/${name}/suite.ts`];
  expect(suites.filter((name) => !own.test(name) && !placesOf(name).some(isHere))).toEqual([]);
  const run = [...all.matchAll(/\bbun run ([\w./-]+)/g)].map(([, name = '']) => name);
  expect(
    run.filter((name) => !(name in scripts || isHere(name) || /^(server\.ts|FILE)$/.test(name))),
  ).toEqual([]);
});

test('a reader has at most so many words and lines, without what is printed of results', () => {
  const wordsIn = (document: string) => {
    const prose = read(document)
      .replace(/```.*?```|<!-- bench:.*?<!-- \/bench -->|<!--.*?-->|<[^>]+>/gs, '')
      .replace(/\]\([^)]*\)/g, ']')
      .replace(/^\s*\|.*$/gm, '');
    return prose.split(/\s+/).filter(Boolean).length;
  };
  const sum = (names: string[]) => names.reduce((words, name) => words + wordsIn(name), 0);
  expect(wordsIn('README.md')).toBeLessThanOrEqual(600);
  expect(read('README.md').split('\n').length).toBeLessThanOrEqual(121);
  expect(wordsIn('docs/notes.md')).toBeLessThanOrEqual(2000);
  const uncounted = ['README.md', 'docs/reference.md', 'docs/notes.md'];
  expect(sum(DOCUMENTS.filter((name) => !uncounted.includes(name)))).toBeLessThanOrEqual(6500);
});
