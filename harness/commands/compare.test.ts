// What `compare` says of two result files, and when it fails. analysis/ has the verdicts, report/
// the tables.
import { expect, test } from 'bun:test';
import { callProgram } from '../testing/call-program.ts';
import { asRevisions, fakeFault, fakePairs } from '../testing/fakes.ts';
import { testFolder } from '../testing/folder.ts';
import { writeFakeResult } from '../testing/result-files.ts';

const files = testFolder();
const old = writeFakeResult(files, 'old.json');
const worse = writeFakeResult(files, 'worse.json', 15);
const quick = writeFakeResult(files, 'quick.json', 15, ({ configuration }) =>
  Object.assign(configuration, { isQuick: true }),
);
const big = writeFakeResult(files, 'big.json', 12, ({ suite }) => {
  for (const { exchanges } of suite.tasks)
    Object.assign(exchanges[0] ?? {}, { path: '/big', requestDigest: '02' });
});
const stopped = writeFakeResult(files, 'stopped.json', 15, (result) => {
  result.stoppedBy = 'SIGINT';
});
const copy = writeFakeResult(files, 'copy.json', 12);
const PATH = 'default.request.0.path was "/", and is "/big"';
const DIGEST = 'default.request.0.requestDigest was "01", and is "02"';
const one = writeFakeResult(files, 'one.json', 12, (result) => {
  result.pairs = [...fakePairs('base', [10]), ...fakePairs('other', [12])];
});
const revisions = writeFakeResult(files, 'revisions.json', 12, (result) => {
  result.pairs = result.pairs.filter(({ scenario }) => scenario === 'other');
  asRevisions(result);
});
const [two, broken] = ['two.json', 'broken.json'].map((name) =>
  writeFakeResult(files, name, 12, ({ pairs, suite }) => {
    if (name === 'broken.json') pairs.at(-1)?.faults.push(fakeFault({ what: 'boom' }));
    suite.tasks[0]?.scenarios.push('more');
    pairs.push(...fakePairs('more', [12.9, 13, 13.1]));
  }),
) as [string, string];
const several = writeFakeResult(files, 'several.json', 12, (result) => {
  result.pairs = result.pairs.filter(({ scenario }) => scenario === 'other');
  result.pairs.push(...fakePairs('more', [12.9, 13, 13.1]));
  result.suite.tasks[0]?.scenarios.push('more');
  asRevisions(result);
});
test.each<[status: number, said: string, args: string[]]>([
  [0, 'Other', [old, worse]],
  [0, 'Surely above 50 %: 0 of 1 row.', [old, worse, '--fail-above', '50%']],
  [1, 'worse, above 1 µs', [old, worse, '--fail-above', '1us']],
  [0, 'Surely above 0 %: 0 of 1 row.', [worse, old, '--fail-above', '0%']],
  [2, 'A comment on a pull request needs a limit', [revisions, '--format', 'pull-request']],
  [1, '### Default takes 20.0 ±', [revisions, '--format', 'pull-request', '--fail-above', '5%']],
  // What was not measured to its end must not read like a pass.
  [
    4,
    '### Not finished: SIGINT',
    [old, stopped, '--format', 'pull-request', '--fail-above', '50%'],
  ],
  [
    4,
    'Not decided: a run was not finished.',
    [old, stopped, '--fail-above', '50%', '--format', 'terminal'],
  ],
  [4, 'not finished (SIGINT): go on with that run', [old, stopped, '--fail-above', '50%']],
  [1, 'worse, above 1 µs', [old, stopped, '--fail-above', '1us']],
  [0, 'Other', [old, stopped]],
  // A limit within the interval.
  [4, 'perhaps above 25 %', [old, worse, '--fail-above', '25%']],
  [4, 'tracetax: not decided: Other adds +3.0', [old, worse, '--fail-above', '3us']],
  [4, 'not decided: Other has 1 pair', [one, worse, '--fail-above', '25%']],
  [4, 'not decided: Other has 1 pair', [one, worse, '--fail-above', '25%', '--allow-missing']],
  [0, '- New: Not for publishing', [old, quick]],
  // Of other requests, unless that is forced.
  [2, `${PATH}; ${DIGEST}. Use --force`, [old, big, '--fail-above', '1000%', '--allow-missing']],
  [0, `\n- ${PATH}\n`, [old, big, '--force']],
  [2, 'hold the same result, so there is nothing to compare', [big, big, '--force']],
  [2, 'or use --allow-same to see the noise', [old, copy, '--fail-above', '5%']],
  [0, '- Both are the same, so every difference is noise.', [old, copy, '--allow-same']],
  [2, '--allow-same has no effect on one result', [revisions, '--allow-same']],
  [0, 'measured in pairs of both', [revisions]],
  // Of several, a row is named after what New is.
  [0, '\nOld is Base.\n', [several]],
  [0, '\n| more.new |', [several]],
  [0, '\n| Default  |', [revisions]],
  [2, 'is not of two revisions', [old]],
  [2, 'A result that compares two revisions has a baseline of its own', [revisions, several]],
  // A row that could not be compared fails, unless it may be missing, and not all are.
  [
    1,
    'Other could not be judged: invalid in the new result: boom; --allow-missing accepts that.',
    [two, broken, '--fail-above', '50%'],
  ],
  [0, 'boom', [two, broken, '--fail-above', '50%', '--allow-missing']],
  [1, 'boom', [old, broken, '--fail-above', '5%', '--allow-missing']],
])('compare ends with %i and says %j', async (status, said, args) => {
  const run = await callProgram('compare', ...args);
  expect(run.status).toBe(status);
  expect(run.stdout + run.stderr).toContain(said);
  expect(run.stderr.split('\n').length).toBeLessThanOrEqual(2);
  if (status === 2) expect(run.stdout).toBe('');
});
