import { expect, test } from 'bun:test';
import { figure, html, Markup, shortened } from './escape.ts';

test('everything but markup is escaped, in lists too', () => {
  const hostile = `<b onclick="x('&')">`;
  const escaped = '&lt;b onclick=&quot;x(&#39;&amp;&#39;)&quot;&gt;';
  expect(html`<p title="${hostile}">${[hostile, html`<i>${hostile}</i>`]}</p>`.text).toBe(
    `<p title="${escaped}">${escaped}<i>${escaped}</i></p>`,
  );
  expect(html`${new Markup('<br>')}`.text).toBe('<br>');
});

test('what is not there is not printed, and what is no number is a dash', () => {
  expect(html`a${null}${undefined}${false}b${0}${Number.NaN}`.text).toBe('ab0-');
  expect(figure('+NaN ms')).toBe('-');
  expect(figure('~ (below Infinity µs)')).toBe('-');
  expect(figure('+0.10 ms')).toBe('+0.10 ms');
});

test('a label is one short line of characters that XML knows', () => {
  expect(shortened('a\n\u0000\tb')).toBe('a b');
  expect(shortened('x'.repeat(50))).toBe(`${'x'.repeat(39)}…`);
  expect(shortened('😀'.repeat(5), 3)).toBe('😀😀…');
  expect(shortened('\ud800').isWellFormed()).toBe(true);
});
