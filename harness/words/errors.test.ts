import { expect, test } from 'bun:test';
import { firstError, Problem, problemLine } from './errors.ts';

test('a problem is one line with its remedy, and so is a full disk; a bug is none', () => {
  expect(problemLine(new Problem('It\n  failed', 'Mend it'))).toBe('It | failed. Mend it.');
  const full = Object.assign(new Error('ENOSPC: no space left on device, mkdtemp'), {
    code: 'ENOSPC',
  });
  expect(problemLine(full)).toMatch(
    /^ENOSPC: no space left .*, mkdtemp\. Make room there .*, or set \$TMPDIR/,
  );
  const closed = Object.assign(new Error('EACCES: permission denied, mkdtemp'), {
    code: 'EACCES',
    path: '/tmp/x',
  });
  expect(problemLine(closed)).toStartWith('EACCES: permission denied, mkdtemp. ');
  expect(problemLine(new TypeError('x is undefined'))).toBeUndefined();
});

test('what fails while it is cleaned up hides nothing that went wrong before', async () => {
  const [first, second, third] = ['first', 'second', 'third'].map((message) => new Error(message));
  const failing = (error?: Error) => ({ [Symbol.asyncDispose]: () => Promise.reject(error) });
  const work = async () => {
    await using _ = failing(third);
    await using __ = failing(second);
    throw first;
  };
  expect(await work().catch(firstError)).toBe(first);
  expect(firstError(first)).toBe(first);
});
