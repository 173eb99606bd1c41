import { expect, test } from 'bun:test';
import { screenOf } from './screen.ts';

/** A stream of which only these properties count. */
const stream = (properties: object) => properties as NodeJS.WriteStream;
const terminal = (hasColors: boolean, columns = 120) =>
  stream({ isTTY: true, columns, hasColors: () => hasColors });

test('a terminal has its own width, and the colours that it and NO_COLOR allow', () => {
  expect(screenOf(undefined, terminal(true))).toEqual({
    isTerminal: true,
    columns: 120,
    hasColors: true,
  });
  expect(screenOf(undefined, terminal(false)).hasColors).toBe(false);
});

test('what the user says of colours goes before what the terminal says', () => {
  expect(screenOf(true, terminal(false)).hasColors).toBe(true);
  expect(screenOf(false, terminal(true)).hasColors).toBe(false);
  expect(screenOf(true, stream({})).hasColors).toBe(true);
});

test('a pipe, and a terminal that does not know its width, count as 80 columns wide', () => {
  expect(screenOf(undefined, stream({}))).toEqual({
    isTerminal: false,
    columns: 80,
    hasColors: false,
  });
  expect(screenOf(undefined, terminal(true, 0)).columns).toBe(80);
});
