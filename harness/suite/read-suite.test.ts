import { describe, expect, test } from 'bun:test';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testFolder } from '../testing/folder.ts';
import { scenarios, task } from '../testing/suites.ts';
import { Problem } from '../words/errors.ts';
import { readSuite } from './read-suite.ts';

const { folder, write } = testFolder();

let files = 0;
function load(suite: object) {
  const whole = { name: 'test', baseline: 'a', scenarios: scenarios('a', 'b'), ...suite };
  return readSuite(write(`suite-${files++}.json`, whole));
}

describe('what does not fit is said before anything is started', () => {
  const post = (more: object) => ({ request: { method: 'POST', ...more } });
  const pattern = { span: { name: 'GET /', attributes: { 'url.path': { pattern: '(' } } } };
  const short = task('short');
  const mix = { name: 'mix', exchanges: [{}, {}] };
  const claiming = (...names: string[]) =>
    task('x', { exchanges: [{ telemetry: Object.fromEntries(names.map((name) => [name, {}])) }] });
  const first = (more: object) => ({
    scenarios: [{ ...scenarios('a')[0], ...more }, ...scenarios('b')],
  });
  const services = [{ name: 'db', command: ['x'] }];
  const sweep = (more: object) => ({ sweep: { values: [1, 2, 3], unit: 'x', ...more } });
  const cases: [string, object, string | RegExp][] = [
    ['a misspelt field', { anwser: {} }, 'anwser'],
    ['a server elsewhere', { request: { path: 'https://example.com/' } }, 'must start with "/"'],
    ['a folder that is not there', { cwd: 'nope' }, join(folder, 'nope')],
    ['a body file that is not there', post({ bodyFile: 'nope.json' }), join(folder, 'nope.json')],
    ['a body file beside a body', post({ body: 'x', bodyFile: 'nope.json' }), 'give one of them'],
    [
      'packages that are none',
      { scenarios: [{ ...scenarios('a')[0], packages: 'nope' }] },
      'nope/package.json',
    ],
    [
      'a pattern that is none',
      { scenarios: [{ ...scenarios('a')[0], telemetry: pattern }] },
      'no regular expression',
    ],
    ['a status that a load tool counts as an error', { answer: { status: 404 } }, 'answer.status'],
    [
      'a mode of export that is none',
      { scenarios: [{ ...scenarios('a')[0], export: 'own' }] },
      'scenarios[0].export',
    ],
    ['a scenario twice', { scenarios: scenarios('a', 'a') }, '"a" appears twice'],
    ['a task twice', { tasks: [short, short] }, '"short" appears twice'],
    ['a service twice', { services: [...services, ...services] }, '"db" appears twice'],
    [
      'a server that is the baseline, under another name',
      {
        scenarios: [
          { name: 'a', command: ['x'], telemetry: {} },
          { name: 'b', command: ['x'] },
        ],
      },
      'starts the same server as "a"',
    ],
    ['a baseline that is none', { baseline: 'x' }, '"x" is not one of the scenarios (a, b)'],
    [
      'a baseline of a task that is none',
      { tasks: [task('x', { baseline: 'x' })] },
      '"x" is not one of the scenarios',
    ],
    ['a request beside tasks', { tasks: [short], request: {} }, 'give one or the other'],
    [
      'a warm-up of a mix',
      { tasks: [short, mix], warmUp: 'mix' },
      '"mix" is not a task with exactly one request',
    ],
    ['a warm-up that is none', { tasks: [short], warmUp: 'nope' }, '"nope" is not a task'],
    ['a sweep of nothing', sweep({}), 'either "env" or "load"'],
    ['a sweep of two things', sweep({ env: 'N', load: 'rate' }), 'either "env" or "load"'],
    ['a sweep with a value twice', sweep({ env: 'N', values: [1, 1, 2] }), 'has a value twice'],
    [
      'a sweep of a load of nothing',
      sweep({ load: 'rate', values: [0, 1, 2] }),
      'whole numbers from 1 on',
    ],
    [
      'a service that is none',
      { services, ...first({ env: { URL: 'http://{service:d}/' } }) },
      'of the services (db)',
    ],
    [
      'telemetry of no scenario',
      { tasks: [claiming('b', 'c')] },
      'no scenario for telemetry of "c"',
    ],
    [
      'telemetry of what a sweep has replaced',
      { tasks: [claiming('b-2', 'b')], ...sweep({ env: 'N' }) },
      'telemetry of "b"',
    ],
  ];
  test.each(cases)('%s', async (_, suite, words) => {
    const error = await load(suite).catch((reason) => reason);
    expect(error).toBeInstanceOf(Problem);
    expect(error.message).toMatch(words);
  });

  test('each wrong field, in a sentence without the signs of a validator', async () => {
    const wrong = { scenarios: scenarios('a', 'b c'), answer: { status: 99 }, baseline: 1 };
    const error = await load(wrong).catch((reason) => reason);
    const said =
      'answer.status: must be at least 200; baseline: must be a text; ' +
      'scenarios[1].name: use letters, digits, ".", "_" and "-" only';
    expect(error.message).toEndWith(`is not valid: ${said}`);
    expect(error.remedy).toContain('Correct that in the file');
  });

  test('what a suite that is a function throws', async () => {
    const file = write(
      'function.ts',
      "export default async () => { throw new Error('no such size'); };",
    );
    await expect(readSuite(file)).rejects.toThrow('no such size');
    await expect(readSuite(write('text.ts', "throw 'a text';"))).rejects.toThrow(
      "can't be read: a text",
    );
  });
});

test('paths are relative to the suite file, or whole', async () => {
  mkdirSync(join(folder, 'servers'));
  const whole = write('body.json', '{}');
  for (const bodyFile of ['body.json', whole]) {
    const suite = await load({ cwd: 'servers', request: { method: 'POST', bodyFile } });
    expect(suite.cwd).toBe(join(folder, 'servers'));
    expect(suite.tasks[0]?.exchanges[0]?.request.bodyFile).toBe(whole);
  }
});

const NO_HEADERS = [{ 'X:A': '1' }, { A: 'a\r\nB: c' }, { A: 'ä' }, { 'content-length': '5' }];
test.each(NO_HEADERS)('no header is %p', async (headers) => {
  await expect(load({ request: { headers } })).rejects.toThrow('request.headers');
});

test('a body that no command line can hold goes into a file, one for all that send it', async () => {
  const exchanges = ['short', 'x'.repeat(100_000), '\0'].map((body) => ({
    request: { method: 'POST', body },
  }));
  const suite = await load({ tasks: [task('one', { exchanges }), task('two', { exchanges })] });
  const [short, long, nul, , again] = suite.tasks.flatMap((each) => each.exchanges);
  expect([short, long, nul].map((each) => each?.request.body)).toEqual([
    'short',
    undefined,
    undefined,
  ]);
  const { bodyFile } = { ...long?.request };
  expect(readFileSync(String(bodyFile), 'utf8')).toBe('x'.repeat(100_000));
  expect(again?.request.bodyFile).toBe(String(bodyFile));
});

test('one task unless it names several', async () => {
  const { tasks, remarks } = await load({ request: { path: '/x' }, remarks: ['Large buffers.'] });
  expect(tasks).toMatchObject([
    { name: 'default', exchanges: [{ request: { method: 'GET', path: '/x' } }] },
  ]);
  expect(remarks).toEqual(['Large buffers.']);
});

test('a suite of the repository is found by its name', async () => {
  expect((await readSuite('levels')).name).toBe('levels');
  await expect(readSuite('nope')).rejects.toThrow('There is no suite nope');
});
