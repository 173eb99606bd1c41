import { expect, test } from 'bun:test';
import { fakeServer } from '../testing/fake-plan.ts';
import { checkProgram } from './launch.ts';

test.each([
  [['no-such-program'], 'Install it'],
  [['node', 'a.js', '|', 'tee'], '"sh", "-c" and the line as one string'],
])('a command that is none is told with what to do: %j', (command, remedy) => {
  expect(() => checkProgram({ ...fakeServer('x'), command })).toThrow(
    expect.objectContaining({ remedy: expect.stringContaining(remedy) }),
  );
});
