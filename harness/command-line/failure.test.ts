import { expect, spyOn, test } from 'bun:test';
import { CommanderError } from '@commander-js/extra-typings';
import { Interruption } from '../processes/interruption.ts';
import { Problem, ScenarioProblem } from '../words/errors.ts';
import { reportFailure } from './failure.ts';

/** Returns the exit status of an error, and what it prints. */
function reported(error: unknown): { status: number | undefined; stderr: string } {
  using stderr = spyOn(process.stderr, 'write').mockReturnValue(true);
  const status = reportFailure(error);
  return { status, stderr: stderr.mock.calls.join('') };
}

test('what the user can mend is a usage error with its remedy, in one line', () => {
  const problem = new Problem('It\nfailed', 'Mend it');
  expect(reported(problem)).toEqual({ status: 2, stderr: 'tracetax: It | failed. Mend it.\n' });
});

test('a scenario that fails is a failure of what is measured, and no usage error', () => {
  const problem = new ScenarioProblem('a', 'did not start', 'boom', 'Mend it');
  const stderr = 'tracetax: Scenario a did not start: boom. Mend it.\n';
  expect(reported(problem)).toEqual({ status: 1, stderr });
});

test('a signal ends with the status that a shell gives, and says that there is no result', () => {
  const stderr = 'tracetax: interrupted by SIGTERM.\nNo result was written.\n';
  expect(reported(new Interruption('SIGTERM'))).toEqual({ status: 143, stderr });
  expect(reported(new Interruption('SIGINT')).status).toBe(130);
  expect(reported(new Interruption('SIGHUP')).status).toBe(129);
});

test('help that was asked for is a success, and commander has printed what is wrong', () => {
  const help = new CommanderError(0, 'commander.helpDisplayed', '');
  expect(reported(help)).toEqual({ status: 0, stderr: '' });
  const wrongCall = new CommanderError(1, 'commander.unknownOption', '');
  expect(reported(wrongCall)).toEqual({ status: 2, stderr: '' });
});

test('a bug has no status, so that Bun shows where it is', () => {
  expect(reported(new TypeError('x is undefined'))).toEqual({ status: undefined, stderr: '' });
});
