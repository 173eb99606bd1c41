import { expect, test } from 'bun:test';
import type { Result } from '../harness/result/schema.ts';
import type { Suite } from '../harness/suite/suite.ts';
import { cleanPairs, fakeFault, fakeResult } from '../harness/testing/fakes.ts';
import { changes, optionsLike, whyUnfit } from './measure-again.ts';

/** A suite with these scenarios, whose packages are in a folder; only what is read of it. */
function suiteOf(names: string[], more: Partial<Suite> = {}): Suite {
  const scenarios = names.map((name) => ({ name, packages: ['folder'] }));
  const tasks = [{ name: 'default', scenarios }];
  return { scenarios, tasks, full: {}, ...more } as unknown as Suite;
}

const pins = (folder: Record<string, string>, own: Record<string, string> = {}) => {
  return (name: string | undefined) => (name === undefined ? own : folder);
};

function changed(change: (result: Result) => void): Result {
  const result = fakeResult();
  change(result);
  return result;
}

test('a suite is to be measured again if a row has another version of what it was measured with', () => {
  const suite = suiteOf(['other']);
  const unused = pins({ hono: '4.13.19', unused: '1.0.0' }, { bun: '1.4.5' });
  expect(changes(suite, fakeResult(), unused)).toEqual([]);
  const newer = pins({ hono: '9.0.0' }, { bun: '2.0.0', hono: '8.0.0' });
  expect(changes(suite, fakeResult(), newer)).toEqual([
    'bun 1.4.5 is now 2.0.0',
    'hono 4.13.19 is now 9.0.0',
  ]);
});

test('a server without packages of its own has those of tracetax', () => {
  const suite = { scenarios: [{ name: 'other', packages: [] }] } as unknown as Suite;
  expect(changes(suite, fakeResult(), pins({}, { hono: '9.0.0' }))).toEqual([
    'hono 4.13.19 is now 9.0.0',
  ]);
});

test('a suite is to be measured again if a row is new, unless it was skipped, or not chosen', () => {
  const suite = suiteOf(['another']);
  const measured = (change: (result: Result) => void) => changes(suite, changed(change), pins({}));
  const ofAnotherTask = (result: Result) => result.suite.tasks.splice(0);
  expect(measured(ofAnotherTask)).toEqual([]);
  expect(measured(() => {})).toEqual(['another is new']);
  const skipped = { scenario: 'Another', fault: fakeFault({ scenario: 'another' }), tasks: [] };
  expect(measured((result) => result.suite.skipped.push(skipped))).toEqual([]);
  expect(
    measured((result) => {
      result.configuration.scenarios = ['other'];
    }),
  ).toEqual([]);
});

test('a run has the settings of the published one, until its rows are known', () => {
  const published = changed(({ configuration }) => {
    Object.assign(configuration, { scenarios: ['other'], idleSeconds: 60, pairs: 5 });
  });
  const options = optionsLike(published, suiteOf(['other']), ['--at-most', '1h']).join(' ');
  expect(options).toBe(
    '--scenarios other --connections 100 --duration 20s --slice 1s --duet-slices 3 --warmup 10s ' +
      '--idle 60s --tool bombardier --within 10% --at-most 1h',
  );
  const fixed = optionsLike(published, suiteOf(['other']), ['--pairs', '3']).join(' ');
  expect(fixed).toContain('--duration 6s');
  expect(fixed).not.toContain('--within');
});

test('a run at a steady rate keeps its rate, its pairs, and their load', () => {
  const published = changed(({ suite, configuration, tool }) => {
    for (const task of suite.tasks) task.rate = 1_000;
    configuration.pairs = 5;
    tool.name = 'vegeta';
  });
  const options = optionsLike(published, suiteOf(['other']), []).join(' ');
  expect(options).toStartWith('--rate 1000 --connections 100 --duration 10s ');
  expect(options).toEndWith('--tool vegeta --pairs 5');
  const own = suiteOf(['other'], { tasks: [{ rate: 1_000 }] as never });
  expect(optionsLike(published, own, [])).not.toContain('--rate');
});

test('a long run keeps its pairs, and a precision its unit', () => {
  const optionsOf = (configuration: Partial<Result['configuration']>) => {
    const published = changed((result) => Object.assign(result.configuration, configuration));
    return optionsLike(published, suiteOf(['other']), []).join(' ');
  };
  expect(optionsOf({ pairs: 40, mostPairs: null, within: null })).toEndWith('--pairs 40');
  const within = { unit: 'us', value: 2 } as const;
  expect(optionsOf({ pairs: 4, mostPairs: 30, within })).toEndWith('--within 2us');
});

test('a new result stands in for the published one if it ended, and has all of its rows', () => {
  const published = fakeResult();
  expect(whyUnfit(published, fakeResult())).toBeUndefined();
  const stopped = changed((result) => {
    result.stoppedBy = 'SIGINT';
  });
  expect(whyUnfit(published, stopped)).toBe('it was not measured to its end (SIGINT)');
  const faulty = changed(({ pairs }) => pairs.at(-1)?.faults.push(fakeFault()));
  expect(whyUnfit(published, faulty)).toBe('it has no figures of default, other');
  expect(whyUnfit(faulty, faulty)).toBeUndefined();
  const short = changed((result) => {
    result.endReason = 'time';
    result.pairs = result.pairs.filter(
      ({ scenario }, at) => scenario === 'base' || at === result.pairs.length - 1,
    );
  });
  expect(whyUnfit(published, short)).toBe('its time was over: it has 1 pair of default, other');
  // A row that fails again has few pairs because it failed, and had no figures before.
  const failing = (result: Result) => {
    result.endReason = 'time';
    const others = result.pairs.filter(({ scenario }) => scenario === 'other');
    for (const pair of others) pair.faults.push(fakeFault());
    result.pairs = result.pairs.filter((pair) => !others.slice(2).includes(pair));
  };
  expect(whyUnfit(changed(failing), changed(failing))).toBeUndefined();
  const lacking = fakeResult(cleanPairs().filter(({ scenario }) => scenario === 'base'));
  expect(whyUnfit(published, lacking)).toBe('it has no figures of default, other');
});
