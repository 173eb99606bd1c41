import { afterAll, describe, expect, test } from 'bun:test';
import { readSuite } from '../suite/read-suite.ts';
import type { Suite } from '../suite/suite.ts';
import { testFolder } from '../testing/folder.ts';
import type { MeasureOptions } from './options.ts';
import { type PairsRule, pairsRuleFor } from './pairs-rule.ts';
import { settle } from './settle.ts';

const { BOMBARDIER } = process.env;
const { folder, write } = testFolder();
const STATUSES = { req1xx: 0, req2xx: 1, req3xx: 0, req4xx: 0, req5xx: 0, others: 0 };
const LOADED = JSON.stringify({
  result: { timeTakenSeconds: 1, ...STATUSES, latency: { mean: 1, max: 1 } },
});
const SCRIPT = `if [ "$1" = --version ]; then echo 'bombardier version v9 test'; else echo '${LOADED}'; fi`;
process.env.BOMBARDIER = write('bombardier', `#!/bin/sh\n${SCRIPT}\n`, 0o755);
afterAll(() => {
  process.env.BOMBARDIER = BOMBARDIER ?? '';
});

const TOOL = { tool: 'bombardier', export: 'otlp' } as const;
const OPTIONS = { suite: '', ...TOOL, quick: false, pin: false, keepAwake: false, dryRun: true };
const scenario = (name: string, more: object = {}) => ({
  name,
  command: ['bun', 'run', 'a.ts', name],
  ...more,
});

/** The plan of a dry run of this suite, or of a run with a load tool that sends nothing. */
async function planned(suite: object, options: Partial<MeasureOptions> = {}) {
  const scenarios = [scenario('base'), scenario('other')];
  const file = write(`suite-${Math.random()}.json`, {
    name: 'test',
    baseline: 'base',
    scenarios,
    ...suite,
  });
  const wanted = { ...OPTIONS, ...options } as MeasureOptions;
  return (await settle(wanted, await readSuite(file))).plan;
}

test('a dry run needs no load tool, in contrast to a run', async () => {
  const installed = process.env.BOMBARDIER;
  process.env.BOMBARDIER = '/nowhere/bombardier';
  try {
    const { header } = await planned({});
    expect(header.tool).toMatchObject({ name: 'bombardier', version: 'not installed' });
    expect(planned({}, { dryRun: false })).rejects.toThrow('There is no bombardier');
  } finally {
    process.env.BOMBARDIER = installed;
  }
});

test('a row for each scenario of each task, with what is started for it; frozen all the way down', async () => {
  const span = {
    telemetry: { span: { name: 'GET /', children: [{ name: 'inner' }] }, sampled: 0.5 },
  };
  const tasks = ['get', 'post'].map((name) => ({
    name,
    exchanges: [{ request: { path: `/${name}` } }],
  }));
  const scenarios = [scenario('base'), scenario('traced', { env: { OWN: '1' }, ...span })];
  const plan = await planned({ tasks, scenarios });
  expect(plan.rows.map(({ label }) => label)).toEqual([
    'get, base',
    'get, traced',
    'post, base',
    'post, traced',
  ]);
  const [itself, row] = plan.rows;
  expect(itself?.scenario).toBe(itself?.baseline as NonNullable<typeof itself>['baseline']);
  expect(row?.task).toMatchObject({ name: 'get', connections: 100 });
  expect(row?.baseline).toMatchObject({ cwd: folder, env: {}, sink: false, spans: null });
  expect(row?.scenario).toMatchObject({ sink: true, spans: { perRequest: 2, sampled: 0.5 } });
  expect(row?.scenario.env).toMatchObject({
    OWN: '1',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://{sink}',
  });
  expect(() => Object.assign(plan.header.suite.tasks[0] ?? {}, { rate: 5 })).toThrow(TypeError);
  expect(() => Object.assign(plan.rows[0]?.baseline.env ?? {}, { A: '1' })).toThrow(TypeError);
});

test('equal servers have a remark, and one in watch mode what tells that', async () => {
  const same = { command: ['node', '--watch', 'a.js'] };
  const { suite } = (await planned({ scenarios: [scenario('base', same), scenario('b', same)] }))
    .header;
  expect(suite.remarks).toEqual([
    'base and b start the same server (equal command, env and cwd): a difference is noise.',
  ]);
  expect(suite.scenarios.map(({ developmentSign }) => developmentSign)).toEqual([
    '--watch',
    '--watch',
  ]);
  expect((await planned({})).header.suite.remarks).toEqual([]);
});

test('a dry run does not say that the user lets cores sleep, unless it is so', async () => {
  const reasonOf = async (keepAwake: boolean) => {
    const { header } = await planned({}, { keepAwake });
    return 'missing' in header.keepAwake ? header.keepAwake.reason : 'kept';
  };
  expect(await reasonOf(true)).toBeOneOf(['not-measured', 'no-driver']);
  expect(await reasonOf(false)).toBeOneOf(['switched-off', 'no-driver']);
});

test('products are ranked by a share of their cost, where a table has them below each other', async () => {
  const isRanking = async (suite: object, options: Partial<MeasureOptions> = {}) =>
    (await planned(suite, options)).header.configuration.isRanking;
  const products = { full: { starts: 10 }, quick: { starts: 3 } };
  expect(await isRanking({})).toBe(false);
  expect(await isRanking(products)).toBe(true);
  expect(await isRanking({}, { idle: 20 })).toBe(true);
  expect(await isRanking(products, { quick: true })).toBe(false);
  expect(await isRanking(products, { within: { value: 2, unit: 'us' } })).toBe(false);
  expect(await isRanking(products, { pairs: 5 })).toBe(false);
  const tasks = ['get', 'post'].map((name) => ({ name, exchanges: [{}] }));
  expect(await isRanking({ ...products, tasks })).toBe(false);
});

test('what the user says goes before what the suite says, and that before the defaults', async () => {
  const configurationOf = async (suite: object, options?: Partial<MeasureOptions>) =>
    (await planned(suite, options)).header.configuration;
  const own = { full: { pairs: 6, warmupSeconds: 120 }, quick: { pairs: 2 } };
  const full = { pairs: 4, mostPairs: 30, durationSeconds: 30, alternatingSlices: 3 };
  expect(await configurationOf({})).toMatchObject({ ...full, isQuick: false });
  const fixed = { pairs: 10, mostPairs: null, durationSeconds: 30, alternatingSlices: 3 };
  expect(await configurationOf({}, { pairs: 10 })).toMatchObject(fixed);
  expect(await configurationOf(own)).toMatchObject({
    pairs: 6,
    warmupSeconds: 120,
    alternatingSlices: 5,
  });
  expect(await configurationOf(own, { pairs: 3, seed: 7 })).toMatchObject({
    pairs: 3,
    alternatingSlices: 10,
    seed: 7,
  });
  expect(await configurationOf(own, { quick: true })).toMatchObject({
    pairs: 2,
    duetSlices: 1,
    isQuick: true,
  });
  // Whole slices, at least one in each pair.
  expect(await configurationOf({}, { duration: 1 })).toMatchObject({
    alternatingSlices: 1,
    durationSeconds: 10,
  });
});

describe('how many pairs a row gets', () => {
  const pairsOf = async (options: Partial<MeasureOptions>, suite: object = {}) => {
    const { configuration } = (await planned(suite, options)).header;
    const { pairs, within, atMostSeconds } = configuration;
    return { pairs, within: within && `${within.value} ${within.unit}`, atMostSeconds };
  };
  const { CI } = process.env;
  delete process.env.CI;
  afterAll(() => {
    process.env.CI = CI ?? '';
  });

  test('is decided by a precision, which is that of the user, of a full run or of a quick one', async () => {
    const rule = { pairs: 4, within: '10 %', atMostSeconds: null };
    expect(await pairsOf({})).toEqual(rule);
    expect(await pairsOf({ within: { value: 2, unit: 'us' } })).toEqual({
      ...rule,
      within: '2 us',
    });
    expect(await pairsOf({ quick: true })).toEqual({ ...rule, within: '25 %', atMostSeconds: 180 });
    expect(await pairsOf({ quick: true, atMost: 60 })).toMatchObject({ atMostSeconds: 60 });
  });

  test('a quick run of more than five rows gets more time, in proportion', async () => {
    const scenarios = ['base', 'a', 'b', 'c', 'd', 'e', 'f'].map((name) => scenario(name));
    expect(await pairsOf({ quick: true }, { scenarios })).toMatchObject({ atMostSeconds: 252 });
  });

  test('in a workflow, the time is limited', async () => {
    process.env.CI = 'true';
    const limits = [
      await pairsOf({}),
      await pairsOf({ atMost: 60 }),
      await pairsOf({ quick: true }),
      await pairsOf({ pairs: 50 }),
    ].map(({ atMostSeconds }) => atMostSeconds);
    delete process.env.CI;
    expect(limits).toEqual([2_400, 60, 180, null]);
  });

  test('is fixed if the user or the suite says so, or if CPU at full load is not the question', async () => {
    const fixed = { within: null, atMostSeconds: null };
    expect(await pairsOf({ pairs: 3 })).toEqual({ ...fixed, pairs: 3 });
    expect(await pairsOf({}, { full: { pairs: 7 } })).toEqual({ ...fixed, pairs: 7 });
    expect(await pairsOf({ rate: { rate: 50 } })).toEqual({ ...fixed, pairs: 10 });
    expect(await pairsOf({ duetSlices: 0 })).toEqual({ ...fixed, pairs: 10 });
    const sweep = { load: 'connections', values: [1, 2, 3], unit: 'connection' };
    expect(await pairsOf({}, { sweep })).toEqual({ ...fixed, pairs: 10 });
  });

  test('is not decided by a precision or a limit where nothing measures CPU per request', async () => {
    const within = { value: 10, unit: '%' } as const;
    await expect(pairsOf({ within, duetSlices: 0 })).rejects.toThrow('nothing measures');
    const failAbove = { value: 5, unit: '%' } as const;
    await expect(pairsOf({ failAbove, duetSlices: 0 })).rejects.toThrow('nothing measures');
    const paced = { within, duetSlices: 0, rate: { rate: 50 } };
    expect(await pairsOf(paced)).toMatchObject({ pairs: 4, within: '10 %' });
  });

  test('of two revisions, is decided by what tells a change of 2 % from none', () => {
    const suite = { tasks: [], full: {}, quick: {}, comparesRevisions: true } as unknown as Suite;
    const defaults = { fixedPairs: 10, suitePairs: undefined, duetSlices: 3 };
    const ruleOf = (more: object) =>
      pairsRuleFor({ ...OPTIONS, strict: false, ...more }, suite, defaults, {});
    const within = { value: 1, unit: '% of baseline' };
    const rule = { pairs: 5, mostPairs: 20, within, limits: null, atMostSeconds: null };
    expect(ruleOf({})).toEqual(rule as PairsRule);
    expect(ruleOf({ pairs: 10 })).toMatchObject({ pairs: 10, within: null });
    expect(ruleOf({ quick: true })).toMatchObject({ pairs: 10, within: null });
  });

  test('is decided by a gate: that is enough, unless the user asks for a precision, too', async () => {
    const ruleOf = async (options: Partial<MeasureOptions>, suite: object = {}) => {
      const { pairs, mostPairs, within, limits } = (await planned(suite, options)).header
        .configuration;
      return { pairs, mostPairs, within, limits };
    };
    const failAbove = { value: 2, unit: '%' } as const;
    const limits = { cpu: failAbove, p99Us: null };
    const rule = { pairs: 4, mostPairs: 30, within: null, limits };
    expect(await ruleOf({ failAbove })).toEqual(rule);
    const within = { value: 5, unit: '%' } as const;
    expect(await ruleOf({ failAbove, within })).toEqual({ ...rule, within });
    const fixed = { mostPairs: null, within: null, limits: null };
    expect(await ruleOf({ failAbove, pairs: 3 })).toEqual({ ...fixed, pairs: 3 });
    expect(await ruleOf({ failAbove }, { full: { pairs: 7 } })).toEqual({ ...fixed, pairs: 7 });
    const sweep = { load: 'connections', values: [1, 2, 3], unit: 'connection' };
    expect(await ruleOf({ failAbove }, { sweep })).toEqual({ ...fixed, pairs: 10 });
  });

  test('at a steady rate is fixed, unless a precision or a gate asks for an answer', async () => {
    const rate = { rate: 50 };
    const limitsOf = async (options: Partial<MeasureOptions>) =>
      (await planned({}, { rate, ...options })).header.configuration.limits;
    expect(await pairsOf({ rate })).toMatchObject({ pairs: 10, within: null });
    const within = { value: 10, unit: '%' } as const;
    expect(await pairsOf({ rate, within })).toMatchObject({ pairs: 4, within: '10 %' });
    expect(await limitsOf({ failAboveP99: 5_000 })).toEqual({ cpu: null, p99Us: 5_000 });
    // What p99 is asked for needs no slices that tell CPU time.
    expect(await limitsOf({ failAboveP99: 5_000, duetSlices: 0 })).not.toBeNull();
    const failAbove = { value: 2, unit: '%' } as const;
    expect(await limitsOf({ failAbove })).toEqual({ cpu: failAbove, p99Us: null });
    expect(await limitsOf({ failAboveP99: 5_000, pairs: 3 })).toBeNull();
  });

  test('of two revisions, is decided by the gate in place of the change of 2 %', () => {
    const suite = { tasks: [], full: {}, quick: {}, comparesRevisions: true } as unknown as Suite;
    const defaults = { fixedPairs: 10, suitePairs: undefined, duetSlices: 3 };
    const failAbove = { value: 0.3, unit: 'us' } as const;
    const ruleOf = (more: object) =>
      pairsRuleFor({ ...OPTIONS, strict: false, failAbove, ...more }, suite, defaults, {});
    const limits = { cpu: failAbove, p99Us: null };
    expect(ruleOf({})).toMatchObject({ pairs: 5, mostPairs: 20, within: null, limits });
    expect(ruleOf({ quick: true })).toMatchObject({ mostPairs: null, limits: null });
  });

  test('--pairs and --within together are refused, with what to do', async () => {
    const both = planned({}, { pairs: 3, within: { value: 10, unit: '%' } });
    await expect(both).rejects.toThrow(
      '--pairs fixes the number of pairs, and --within lets the precision decide it',
    );
  });
});

test('the header tells what is sent, and nothing that is secret', async () => {
  const request = {
    method: 'POST',
    path: '/a?token=hush',
    headers: { authorization: 'hush' },
    body: 'hush',
  };
  const answer = { body: 'Hi' };
  const { header } = await planned({ request, answer });
  expect(JSON.stringify(header)).not.toContain('hush');
  const [task] = header.suite.tasks;
  const digest = expect.stringMatching(/^[0-9a-f]{16}$/);
  expect(task).toMatchObject({ connections: 100 });
  const sent = {
    method: 'POST',
    path: '/a',
    weight: 1,
    requestDigest: digest,
    answerDigest: digest,
  };
  expect(task?.exchanges).toEqual([sent]);
  const command = / -c 100 -d 1s .*authorization: \w{16}.* http:\/\/127.0.0.1:PORT\/a\?\w{16}$/;
  expect(task?.command.join(' ')).toMatch(command);
  const other = await planned({ request: { ...request, body: 'other' }, answer });
  expect(other.header.suite.tasks[0]?.exchanges[0]?.requestDigest).not.toBe(
    String(task?.exchanges[0]?.requestDigest),
  );
  expect(header.proofs).toEqual([]);
  expect(header.tool).toMatchObject({
    name: 'bombardier',
    version: 'v9',
    host: null,
    latencyFrom: 'sent',
  });
});

describe('a scenario whose program is not here', () => {
  const scenarios = [scenario('base'), { ...scenario('gone'), command: ['no-such-program'] }];

  test('is skipped if it is optional, and its reason is kept', async () => {
    const optional = scenarios.map((each) => ({ ...each, optional: true }));
    const plan = await planned({ scenarios: optional });
    expect(plan.rows.map(({ label }) => label)).toEqual(['base']);
    expect(plan.header.suite.skipped).toMatchObject([
      {
        scenario: 'gone',
        tasks: ['default'],
        fault: { what: 'has no program "no-such-program" here' },
      },
    ]);
  });

  test('else ends the run; so does the last one', async () => {
    await expect(planned({ scenarios })).rejects.toThrow(
      'Scenario gone has no program "no-such-program" here',
    );
    const [, gone] = scenarios;
    await expect(
      planned({ baseline: 'gone', scenarios: [{ ...gone, optional: true }] }),
    ).rejects.toThrow('no program');
  });
});

test('an optional scenario whose service does not start is skipped, also if it claims nothing', async () => {
  const services = [{ name: 'gone', command: ['sh', '-c', 'exit 1'] }];
  const scenarios = [
    scenario('base'),
    scenario('other', { optional: true, env: { URL: 'http://{service:gone}/' } }),
  ];
  const plan = await planned({ services, scenarios }, { dryRun: false });
  expect(plan.rows.map(({ label }) => label)).toEqual(['base']);
  expect(plan.header.suite.skipped).toMatchObject([
    { scenario: 'other', fault: { what: 'has no gone' } },
  ]);
});

describe('rates', () => {
  const sweep = { load: 'rate', values: [10, 20, 30], unit: 'request' };

  test('that of the user is for all tasks; a share is found when the run begins', async () => {
    const fixed = await planned({}, { rate: { rate: 50 } });
    expect(fixed.rows[0]?.task.rate).toBe(50);
    const { header, rows } = await planned({}, { rate: { rateShare: 0.3 } });
    expect(header.suite.tasks[0]).toMatchObject({ rate: null, rateShare: 0.3 });
    expect(rows[0]?.task.rate).toBeUndefined();
  });

  test('a suite with steps of its own does not take one', async () => {
    const { rows, header } = await planned({ sweep });
    expect(rows.map(({ task }) => task.rate)).toEqual([10, 10, 20, 30]);
    expect(header.suite.sweep?.points.map(({ value }) => value)).toEqual([10, 20, 30]);
    await expect(planned({ sweep }, { rate: { rate: 5 } })).rejects.toThrow(
      'Suite test sets its own rate',
    );
  });

  test.skipIf(!Bun.which('wrk'))(
    'with a tool that has none, tasks without a rate are left',
    async () => {
      const tasks = [{ name: 'paced', rate: 10 }, { name: 'free' }].map((task) => ({
        ...task,
        exchanges: [{}],
      }));
      const { rows, header } = await planned({ tasks }, { tool: 'wrk' });
      expect(rows.map(({ task }) => task.name)).toEqual(['free', 'free']);
      const fault = { what: "wrk can't send at a steady rate" };
      expect(header.suite.skipped[0]).toMatchObject({ scenario: 'paced', fault });
      const paced = planned({}, { tool: 'wrk', rate: { rate: 5 } });
      await expect(paced).rejects.toThrow("wrk can't do what is asked for: steady rate");
    },
  );
});

test('a load host must reach the servers', async () => {
  await expect(planned({}, { loadHost: 'user@nowhere' })).rejects.toThrow(
    "Other hosts can't reach 127.0.0.1",
  );
});
