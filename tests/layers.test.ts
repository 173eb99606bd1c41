// Which part of harness/ may import which. Imports of types alone count as well.
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { ROOT } from './bench.ts';

const HARNESS = join(ROOT, 'harness');
const modules = [...new Bun.Glob('**/*.{ts,mjs}').scanSync(HARNESS)].filter((name) => !name.endsWith('.test.ts'));
/** The modules of ours that each imports, by path. */
const imports = new Map(modules.map((name) => [name, importsOf(name)]));

function importsOf(name: string): string[] {
  const source = readFileSync(join(HARNESS, name), 'utf8');
  const found = source.matchAll(/\b(?:from|import)\b\s*\(?\s*'(\.{1,2}\/[^']+)'/g);
  return [...found].map(([, path]) => normalize(join(dirname(name), path as string)));
}

/** From top to bottom: a part, which is a folder or a file beside them, may import what lies below its own line. */
const LAYERS = [
  ['cli'],
  ['explain', 'revisions', 'init'],
  ['commands'],
  ['dry-run'],
  ['run'],
  ['plan'],
  ['options', 'output', 'progress'],
  ['report', 'measure', 'proof'],
  ['analysis', 'server', 'load', 'sink'],
  ['machine', 'suite'],
  ['result', 'problem'],
];
const NARROWER: Record<string, string[]> = { result: [], analysis: ['result'], report: ['analysis'] };

const TESTING = 'testing';
const partOf = (name: string) => (name.includes('/') ? dirname(name).split('/')[0] : basename(name, '.ts')) as string;
const heightOf = (part: string) => LAYERS.findIndex((layer) => layer.includes(part));
const product = modules.filter((name) => partOf(name) !== TESTING);

test('every part has its layer', () => {
  expect(product.filter((name) => heightOf(partOf(name)) === -1)).toEqual([]);
});

describe('imports point downwards', () => {
  const edges = product.flatMap((name) => (imports.get(name) ?? []).map((other) => [name, other] as const));
  const across = edges.filter(([name, other]) => partOf(name) !== partOf(other));
  const shown = (found: typeof edges) => found.map(([name, other]) => `${name} -> ${other}`);

  test('there are some, and all are of modules that exist', () => {
    expect(across.length).toBeGreaterThan(50);
    expect(shown(edges.filter(([, other]) => !modules.includes(other)))).toEqual([]);
  });

  test('cli -> run -> measure, proof -> server, load -> machine, and none the other way', () => {
    const upwards = across.filter(([name, other]) => heightOf(partOf(name)) >= heightOf(partOf(other)));
    expect(shown(upwards)).toEqual([]);
  });

  test.each(Object.entries(NARROWER))('%s imports of ours no more than %p', (part, allowed) => {
    const others = across.filter(([name, other]) => partOf(name) === part && !allowed.includes(partOf(other)));
    expect(shown(others)).toEqual([]);
  });

  test('nothing imports a fake', () => {
    expect(shown(edges.filter(([, other]) => partOf(other) === TESTING))).toEqual([]);
  });
});

test('no module imports itself by way of others', () => {
  const cycles: string[] = [];
  const done = new Set<string>();
  const visit = (name: string, path: string[]) => {
    if (path.includes(name)) cycles.push([...path.slice(path.indexOf(name)), name].join(' -> '));
    if (path.includes(name) || done.has(name)) return;
    for (const other of imports.get(name) ?? []) visit(other, [...path, name]);
    done.add(name);
  };
  for (const name of modules) visit(name, []);
  expect(cycles).toEqual([]);
});

test('no two files have the same name', () => {
  const byName = [...Map.groupBy(modules, (name) => basename(name)).values()];
  expect(byName.filter(({ length }) => length > 1)).toEqual([]);
});
