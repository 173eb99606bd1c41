import { expect, test } from 'bun:test';
import { marksOf, replaceFigures, withoutFigures } from './marks.ts';

const DOCUMENT = [
  'It takes <!--= tracers-express auto-3 cpu -->132 ±42 µs<!--/--> at <!--= setting -->10 %<!--/-->.',
  '| <!--= glue a minus b cpu per 9 most -->1 µs<!--/--> | <!--= soak-x quote --><!--/--> |',
].join('\n');

test('a mark names a result, its rows, what is told of them, and how', () => {
  expect(marksOf(DOCUMENT)).toEqual([
    {
      mark: {
        kind: 'figure',
        result: 'tracers-express',
        rows: 'auto-3',
        what: 'cpu',
        per: 1,
        form: null,
      },
      name: 'tracers-express auto-3 cpu',
      text: '132 ±42 µs',
      line: 1,
    },
    { mark: { kind: 'setting' }, name: 'setting', text: '10 %', line: 1 },
    {
      mark: {
        kind: 'figure',
        result: 'glue',
        rows: 'a minus b',
        what: 'cpu',
        per: 9,
        form: 'most',
      },
      name: 'glue a minus b cpu per 9 most',
      text: '1 µs',
      line: 2,
    },
    {
      mark: { kind: 'quote', result: 'soak-x', line: '' },
      name: 'soak-x quote',
      text: '',
      line: 2,
    },
  ]);
});

test('what stands between the comments is replaced, and the rest stays byte for byte', () => {
  const replaced = replaceFigures(DOCUMENT, ({ mark, text }) =>
    mark.kind === 'setting' ? null : `$& ${text}!`,
  );
  expect(replaced).toBe(
    DOCUMENT.replace('132 ±42 µs<', '$$& 132 ±42 µs!<')
      .replace('1 µs<', '$$& 1 µs!<')
      .replace('quote --><', 'quote -->$$& !<'),
  );
});

test('a document without its figures is what a reader sees beside them', () => {
  expect(withoutFigures(DOCUMENT)).toBe('It takes  at .\n|  |  |');
});

test('code shows marks, and has none', () => {
  const code = '`<!--= a b cpu -->` and\n```\n<!--= setting -->1 s<!--/-->\n```\n';
  expect(marksOf(code)).toEqual([]);
  expect(marksOf(`${code}x <!--= setting -->1 s<!--/-->`)).toMatchObject([{ line: 5 }]);
  expect(replaceFigures(`${code}x <!--= a b cpu -->1<!--/-->.`, () => '2')).toBe(
    `${code}x <!--= a b cpu -->2<!--/-->.`,
  );
});

test.each([
  ['x <!--= a b cpu -->1 µs', '1 figures begin with <!--=, 0 end'],
  ['1 µs<!--/-->', '0 figures begin'],
  ['x <!--= a b cpu -->1\nµs<!--/-->', '1 figures begin with <!--=, 1 end'],
  ['x <!--= a b cpu -->1 <!--= a b cpu -->2<!--/-->', '2 figures begin'],
  ['x <!--= a cpu -->1<!--/-->', '"a cpu" names no figure'],
  ['x <!--= a b most -->1<!--/-->', '"a b most" names no figure'],
  ['Costs:\n\n- <!--= a b cpu -->1 µs<!--/--> **more**', 'A line begins with a figure'],
])('%j is a problem', (document, message) => {
  expect(() => marksOf(document)).toThrow(message);
});
