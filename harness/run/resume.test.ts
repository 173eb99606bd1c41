import { expect, test } from 'bun:test';
import { writeResult } from '../result/file.ts';
import type { Result } from '../result/schema.ts';
import { fakePlan } from '../testing/fake-plan.ts';
import { fakeWorld } from '../testing/fake-world.ts';
import { fakeResult } from '../testing/fakes.ts';
import { testFolder } from '../testing/folder.ts';
import { checkLacking, checkSame, earlierRun, resumeCommand } from './resume.ts';
import { run } from './run.ts';

const SHORT = { warmupSeconds: 0, alternatingSlices: 1, duetSlices: 0, pairs: 3, starts: 1 };
const { path } = testFolder();
const file = path('out.json');

test('an interrupted run goes on: the pairs that lack are added, and no other', async () => {
  const plan = fakePlan(SHORT);
  const whole = await run(plan, fakeWorld().world, path('whole.json'));
  const { stoppedBy } = await run(plan, fakeWorld({ wrongFrom: { base: 8 } }).world, file);
  expect(stoppedBy).toBeDefined();
  const earlier = earlierRun(file);
  checkSame(plan, earlier, file);
  const { world, events } = fakeWorld();
  const outcome = await run(plan, world, file, { result: earlier, stampAsRead: undefined });
  expect(outcome).toMatchObject({ file, stoppedBy: undefined });
  const scenarios = [outcome, whole].map(({ result }) =>
    result.pairs.map(({ scenario }) => scenario),
  );
  expect(scenarios[0]).toEqual(scenarios[1] as string[]);
  expect(outcome.result.startUps.length).toBe(2);
  expect(events.filter((event) => event.startsWith('start')).length).toBe(
    2 * (6 - earlier.pairs.length),
  );
  expect(() => earlierRun(file)).toThrow('lacks nothing');
});

test('on another machine, with other versions or options, it says what differs', () => {
  const earlier = fakeResult([]);
  const plan = fakePlan();
  earlier.configuration.pairs = 1;
  expect(() => checkSame(plan, earlier, 'x.json')).not.toThrow();
  earlier.environment.wakeUp = null;
  earlier.environment.cpuMhz = 2_601;
  expect(() => checkSame(plan, earlier, 'x.json')).not.toThrow();
  const unknown: Result = {
    ...earlier,
    keepAwake: { missing: 'nobody measured whether that helps', reason: 'not-measured' },
  };
  expect(() => checkSame(plan, unknown, 'x.json')).not.toThrow();
  const asleep: Result = {
    ...earlier,
    keepAwake: { missing: 'switched off with --no-keep-awake', reason: 'switched-off' },
  };
  expect(() => checkSame(plan, asleep, 'x.json')).toThrow(
    'idle cores was "asleep", and is "as awake as can be"',
  );
  earlier.environment.cores = 64;
  earlier.configuration.connections = 7;
  expect(() => checkSame(plan, earlier, 'x.json')).toThrow(
    /^x.json can't go on, since not all is as it was: configuration.connections was 7, and is \d+, and 1 more$/,
  );
});

test('a server whose command or environment is another can not go on', () => {
  const plan = fakePlan({ pairs: 1 });
  const earlier = earlierWith({ pairs: 1 });
  setDigest(plan.header, 'one');
  expect(() => checkSame(plan, earlier, 'x.json')).not.toThrow();
  setDigest(earlier, 'one');
  expect(() => checkSame(plan, earlier, 'x.json')).not.toThrow();
  setDigest(earlier, 'two');
  expect(() => checkSame(plan, earlier, 'x.json')).toThrow(
    'not all is as it was: the command, the environment or the folder of base, and 1 more',
  );
});

test('a tool for steady rates that is no longer there is a change', () => {
  const earlier = earlierWith({ pairs: 1 });
  earlier.toolAtRates = { ...earlier.tool, name: 'vegeta' };
  expect(() => checkSame(fakePlan({ pairs: 1 }), earlier, 'x.json')).toThrow('toolAtRates was');
});

function earlierWith(configuration: Partial<Result['configuration']>): Result {
  const earlier = fakeResult([]);
  Object.assign(earlier.configuration, configuration);
  return earlier;
}

function setDigest({ suite }: Pick<Result, 'suite'>, serverDigest: string): void {
  for (const scenario of suite.scenarios) scenario.serverDigest = serverDigest;
}

test('the command that goes on is the one that began', () => {
  const argv = [
    '--suite',
    'my suite',
    '--out',
    'a.json',
    '--out=b.json',
    '--resume',
    'c.json',
    '--pairs',
    '3',
  ];
  expect(resumeCommand('d.json', argv)).toEndWith(" --suite 'my suite' --pairs 3 --resume d.json");
});

test('a run that a rule ended goes on if its plan has pairs to add', () => {
  const within = { pairs: 4, mostPairs: 30, within: { value: 10, unit: '%' } } as const;
  const ended = fakeResult();
  Object.assign(ended.configuration, within);
  writeResult(file, { ...ended, endReason: 'known' });
  const earlier = earlierRun(file);
  expect(() => checkLacking(fakePlan(within), earlier, file)).toThrow('lacks nothing');
  expect(() => checkLacking(fakePlan({ ...within, pairs: 6 }), earlier, file)).not.toThrow();
  const ranked = fakePlan({ ...within, isRanking: true });
  expect(() => checkSame(ranked, earlier, file)).not.toThrow(/isRanking/);
  const killed = { ...earlier, endedAt: null };
  expect(() => checkLacking(fakePlan(within), killed, file)).not.toThrow();
});

test('a run that was killed is interrupted, too', () => {
  writeResult(file, { ...fakeResult(), endedAt: null });
  expect(earlierRun(file).pairs.length).toBe(10);
});
