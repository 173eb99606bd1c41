// Steady rates by Locust (scripts/setup.sh --with-locust).
import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { median } from 'simple-statistics';
import { locust } from '../../harness/load/locust.ts';
import { runLoad } from '../../harness/load/run-load.ts';
import { freePort } from '../../harness/machine/free-port.ts';
import { HI } from '../../harness/testing/sources.ts';
import { addNetworkHost, removeNetworkHost } from '../support/network-host.ts';
import { collectOutput, waitUntil } from '../support/processes.ts';
import { sliceSidesOf } from '../support/results.ts';
import { ROOT, SHORT_RUN, SHORTEST_RUN } from '../support/short-runs.ts';
import { TEST_TIMEOUT_MS, Workplace } from '../support/workplace.ts';

const LOCUST = [Bun.which('locust'), join(ROOT, '.tools/bin/locust')].find(
  (path) => path && existsSync(path),
);
const PACED = ['--tool', 'locust', '--rate', '200'];
const NAME = `lo${process.pid}`;
/** Of the range for benchmarks (RFC 2544). */
const NET = `198.19.${process.pid % 256}`;
const isRoot = process.getuid?.() === 0 && Bun.which('ip') !== null;

/**
 * Two masters here, each with a worker on another host, in `$LOCUST_MASTER`. They end with the
 * place.
 */
async function startMasters(cwd: string): Promise<void> {
  leaveHost();
  expect(addNetworkHost(NAME, NET)).toBe(true);
  const file = join(ROOT, 'harness/load/locustfile.py');
  const masters: string[] = [];
  for (const _ of ['one', 'another']) {
    const [webPort, masterPort] = [await freePort(), await freePort()];
    masters.push(`http://127.0.0.1:${webPort}`);
    const bind = `--master-bind-host ${NET}.1 --master-bind-port ${masterPort}`;
    const worker = `--worker --master-host ${NET}.1 --master-port ${masterPort}`;
    for (const line of [
      `'${LOCUST}' -f '${file}' --master --web-host 127.0.0.1 --web-port ${webPort} ${bind}`,
      `ip netns exec ${NAME} '${LOCUST}' -f - ${worker}`,
    ])
      Bun.spawn(['sh', '-c', `exec ${line}`], { cwd, stdio: ['ignore', 'ignore', 'ignore'] });
  }
  const isReady = (url: string) =>
    fetch(`${url}/tracetax/ready`, { method: 'POST' }).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await Promise.all(masters.map(isReady))).every(Boolean)) await Bun.sleep(100);
  process.env.LOCUST_MASTER = masters.join(',');
}

function leaveHost(): void {
  delete process.env.LOCUST_MASTER;
  if (isRoot) removeNetworkHost(NAME);
}

test.skipIf(!LOCUST || !isRoot)(
  'masters whose workers are on another host count and time what is answered, and send evenly',
  async () => {
    await using place = new Workplace();
    using _ = { [Symbol.dispose]: leaveHost };
    await startMasters(place.folder);
    const arrivedAtMs: number[] = [];
    const answer = async ({ url }: Request) => {
      arrivedAtMs.push(performance.now());
      await Bun.sleep(20);
      return new Response(
        'Hi',
        url.endsWith('/moved') ? { status: 302, headers: { location: '/' } } : {},
      );
    };
    await using server = Bun.serve({ port: 0, hostname: `${NET}.1`, fetch: answer });
    const load = (path: string) => {
      const requests = [{ weight: 1, method: 'GET', path, headers: {}, chunked: false } as const];
      const all = {
        origin: `http://${NET}.1:${server.port}`,
        requests,
        connections: 20,
        durationSeconds: 4,
        rate: 20,
      };
      return runLoad(
        { tool: locust, path: String(LOCUST), version: '', host: undefined },
        all,
        undefined,
      );
    };

    const begunMs = performance.now();
    const { requests, errors, latencyUs } = await load('/');
    const seconds = (performance.now() - begunMs) / 1e3;
    expect(errors).toEqual([]);
    // On a busy machine users begin and end late, and answers take longer.
    expect(requests).toBeWithin(10, 20 * (seconds + 1));
    // The server waits for 20 ms, and the whole load takes 4 s.
    expect(latencyUs?.mean).toBeWithin(20_000, 4_000_000);
    expect(latencyUs?.p50).toBeWithin(20_000, 4_000_000);
    // A server works for what is under way when the time is up, too.
    expect(arrivedAtMs).toHaveLength(requests);
    const gapsMs = arrivedAtMs.slice(1).map((at, index) => at - (arrivedAtMs[index] as number));
    // All at once, they would be less than 1 ms apart.
    expect(median(gapsMs)).toBeGreaterThan(3);
    const moved = await load('/moved');
    expect(moved).toMatchObject({
      requests: 0,
      errors: [{ detail: expect.stringContaining('302') }],
    });

    const exchanges = [
      { request: { method: 'POST', body: '{"a":"1 é"}' }, answer: { body: 'Hi' } },
      { request: {}, answer: { body: 'Hi' } },
    ];
    const suite = place.suite(
      { a: HI },
      { answer: undefined, tasks: [{ name: 'mix', exchanges }] },
    );
    const run = await place.measure([
      ...SHORT_RUN,
      ...PACED,
      '--listen',
      `${NET}.1`,
      '--suite',
      suite,
    ]);
    // On a busy machine users begin too late for the rate, and tracetax says so.
    expect(run.outcome.faults.filter(({ what }) => what !== 'rate not held')).toEqual([]);
    expect(run.result.tool).toMatchObject({ name: 'locust', latencyFrom: 'sent' });
    for (const { requests } of sliceSidesOf(run.result)) expect(requests).toBeWithin(10, 2_000);
  },
  TEST_TIMEOUT_MS,
);

test.skipIf(!LOCUST)(
  'tracetax leaves neither masters nor workers if it is killed',
  async () => {
    await using place = new Workplace();
    // A body may be in a file.
    const request = { method: 'POST', bodyFile: place.write('body.json', '{"a":"é"}') };
    const run = place.start([
      ...SHORTEST_RUN,
      ...PACED,
      '--slice',
      '60s',
      '--suite',
      place.suite({ a: HI }, { request }),
    ]);
    const programs = () =>
      place.processes().map((pid) => Bun.spawnSync(['ps', '-o', 'args=', String(pid)]).stdout);
    await waitUntil(() => programs().filter((line) => line.includes('locustfile.py')).length >= 4);
    run.kill('SIGKILL');
    await collectOutput(run);
    await place.waitForEnd();
  },
  TEST_TIMEOUT_MS,
);
