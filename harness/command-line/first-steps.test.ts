import { expect, test } from 'bun:test';
import { callProgram } from '../testing/call-program.ts';
import { FIRST_SUITE, firstSteps } from './first-steps.ts';

test('without a suite, a call says in four lines what to do next', async () => {
  const { status, stdout, stderr } = await callProgram('--suite', FIRST_SUITE);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  const lines = stderr.trimEnd().split('\n');
  expect(lines.length).toBe(4);
  for (const [at, command] of ['init', 'setup', '--quick'].entries())
    expect(lines[at + 1]).toContain(`tracetax ${command} `);
});

test('a suite of another name that is missing is an error of that name', () => {
  expect(firstSteps('levels')).toBeUndefined();
  expect(firstSteps('./bench/other.json')).toBeUndefined();
});
