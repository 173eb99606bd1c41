// The floors of the house: a file imports from its own room, or from rooms that stand above its own
// in this list.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/**
 * Every room of `harness/`, from the lowest to the highest. `CONTRIBUTING.md` says what each is
 * for.
 */
const ROOMS = [
  'words',
  'result',
  'processes',
  'machine',
  'exchange',
  'suite',
  'load',
  'plan',
  'sink',
  'software',
  'server',
  'proof',
  'pair',
  'analysis',
  'settle',
  'run',
  'report',
  'explain',
  'commands',
  'command-line',
];

/** The commands are neighbours, and none knows another. */
const COMMAND = /^commands\/[^/]+\.ts$/;

const IMPORT = /(?:from |import\()'(\.[^']+)'/g;

function sourceFiles(): string[] {
  const all = [...new Bun.Glob('*/**/*.ts').scanSync(import.meta.dir)];
  return all.filter((file) => !file.includes('.test.') && !file.startsWith('testing/')).sort();
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(import.meta.dir, file), 'utf8');
  const specifiers = [...text.matchAll(IMPORT)].map(([, specifier = '']) => specifier);
  return specifiers.map((specifier) =>
    relative(import.meta.dir, resolve(import.meta.dir, dirname(file), specifier)),
  );
}

const roomOf = (file: string) => file.split('/')[0] ?? '';

test('every room has its floor in the list, and every floor has a room', () => {
  const rooms = new Set(sourceFiles().map(roomOf));
  expect([...rooms].sort()).toEqual(ROOMS.toSorted());
});

test('the page for contributors shows every floor, from the highest to the lowest', () => {
  const page = readFileSync(join(import.meta.dir, '../CONTRIBUTING.md'), 'utf8');
  const entrances = [...page.matchAll(/^([a-z-]+)\/[a-z-]+\.ts(?= {2})/gm)];
  expect(entrances.map(([, room]) => room)).toEqual(ROOMS.toReversed());
  for (const [file] of entrances)
    expect(readFileSync(join(import.meta.dir, file), 'utf8')).toMatch(/\bthis\s+(\*\s+)?room\b/i);
});

test('no file imports from a higher floor', () => {
  const upwards = sourceFiles().flatMap((file) => {
    const floor = ROOMS.indexOf(roomOf(file));
    const higher = importsOf(file).filter((each) => ROOMS.indexOf(roomOf(each)) > floor);
    return higher.map((each) => `${file} imports ${each}`);
  });
  expect(upwards).toEqual([]);
});

test('no command imports another', () => {
  const commands = sourceFiles().filter((file) => COMMAND.test(file));
  const between = commands.flatMap((file) =>
    importsOf(file)
      .filter((each) => COMMAND.test(each))
      .map((each) => `${file} imports ${each}`),
  );
  expect(between).toEqual([]);
});
