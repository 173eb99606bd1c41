import { expect, test } from 'bun:test';
import { replaceBlocks } from './document-blocks.ts';

const DOCUMENT =
  'before \r\r\n<!-- bench:a -->old<!-- /bench -->\n<!-- bench:b -->\nkeep\n<!-- /bench -->\ttail';

test('blocks of the name are replaced, and the rest stays byte for byte', () => {
  const document = DOCUMENT.replace('\r\r\n', '\n');
  const updated = replaceBlocks(document, 'a', 'new\ntable');
  expect(updated).toBe(
    'before \n<!-- bench:a -->\n\nnew\ntable\n\n<!-- /bench -->\n' +
      '<!-- bench:b -->\nkeep\n<!-- /bench -->\ttail',
  );
  expect(replaceBlocks(updated, 'a', 'new\ntable')).toBe(updated);
});

test('several blocks of a name are replaced, with the line ends of the document', () => {
  const twice = '<!-- bench:a --><!-- /bench -->|<!-- bench:a -->x<!-- /bench -->\r\n';
  const updated = replaceBlocks(twice, 'a', '$& 1\n2');
  const block = '<!-- bench:a -->\r\n\r\n$& 1\r\n2\r\n\r\n<!-- /bench -->';
  expect(updated).toBe(`${block}|${block}\r\n`);
});

test('a block that is not there, and one that does not end, are problems', () => {
  expect(() => replaceBlocks(DOCUMENT, 'c', '')).toThrow('There is no block "c"');
  expect(() => replaceBlocks('<!-- bench:a -->', 'a', '')).toThrow('has no end');
  expect(() => replaceBlocks('<!-- bench:a --><!-- bench:b --><!-- /bench -->', 'a', '')).toThrow(
    'has no end',
  );
});
