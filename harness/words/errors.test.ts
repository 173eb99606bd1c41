import { expect, test } from 'bun:test';
import { Problem, problemLine } from './errors.ts';

test('a problem is one line with its remedy, and so is a full disk; a bug is none', () => {
  expect(problemLine(new Problem('It\n  failed', 'Mend it'))).toBe('It | failed. Mend it.');
  const full = Object.assign(new Error('ENOSPC: no space left on device, mkdtemp'), { code: 'ENOSPC' });
  expect(problemLine(full)).toMatch(/^ENOSPC: no space left .*, mkdtemp\. Free space there, or set \$TMPDIR/);
  expect(problemLine(new TypeError('x is undefined'))).toBeUndefined();
});
