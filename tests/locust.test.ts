// Steady rates by Locust (scripts/setup.sh --with-locust).
import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { bombardier } from '../harness/load/bombardier.ts';
import { locust } from '../harness/load/locust.ts';
import { runLoad } from '../harness/load/run-load.ts';
import type { LoadTool } from '../harness/load/tool.ts';
import { finished, HI, LIMIT_MS, loadedIn, ROOT, SHORT, SHORTEST, until, Workplace } from './bench.ts';

const programOf = (name: string) =>
  [Bun.which(name), join(ROOT, '.tools/bin', name)].find((path) => path && existsSync(path));
const [LOCUST, BOMBARDIER] = ['locust', 'bombardier'].map(programOf);
const PACED = ['--tool', 'locust', '--rate', '200'];
const NAME = `lo${process.pid}`;
/** Of the range for benchmarks (RFC 2544). */
const NET = `198.19.${process.pid % 256}`;
const PORTS = [18_411, 18_412];
const MASTERS = PORTS.map((port) => `http://127.0.0.1:${port}`);
const THERE = `ip netns exec ${NAME}`;
const call = (line: string) => Bun.spawnSync(line.split(' '), { stderr: 'ignore' }).success;
const isRoot = process.getuid?.() === 0 && Bun.which('ip') !== null;

/** Two masters here, each with a worker on another host, in `$LOCUST_MASTER` until they end. */
async function startMasters(cwd: string): Promise<AsyncDisposable> {
  await using ending = new AsyncDisposableStack();
  ending.defer(() => void call(`ip netns del ${NAME}`));
  const start = (line: string) => {
    const started = Bun.spawn(['sh', '-c', `exec ${line}`], { cwd, stdio: ['ignore', 'ignore', 'ignore'] });
    ending.defer(() => {
      started.kill('SIGKILL');
      return started.exited.then(() => {});
    });
  };
  for (const line of [
    `ip netns add ${NAME}`,
    `ip link add ${NAME} type veth peer name far netns ${NAME}`,
    `ip addr add ${NET}.1/24 dev ${NAME}`,
    `ip link set ${NAME} up`,
    `ip -n ${NAME} addr add ${NET}.2/24 dev far`,
    `ip -n ${NAME} link set far up`,
  ])
    expect(call(line)).toBe(true);
  for (const port of PORTS) {
    const own = `--master-bind-host ${NET}.1 --master-bind-port ${port + 100}`;
    const file = join(ROOT, 'harness/load/locustfile.py');
    start(`'${LOCUST}' -f '${file}' --master --web-host 127.0.0.1 --web-port ${port} ${own}`);
    start(`${THERE} '${LOCUST}' -f - --worker --master-host ${NET}.1 --master-port ${port + 100}`);
  }
  const isReady = (url: string) =>
    fetch(`${url}/tracetax/ready`, { method: 'POST' }).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await Promise.all(MASTERS.map(isReady))).every(Boolean)) await Bun.sleep(100);
  process.env.LOCUST_MASTER = MASTERS.join(',');
  ending.defer(() => void delete process.env.LOCUST_MASTER);
  return ending.move();
}

test.skipIf(!LOCUST || !BOMBARDIER || !isRoot)(
  'masters whose workers are on another host count and time as bombardier does, and send evenly',
  async () => {
    await using place = new Workplace();
    await using _ = await startMasters(place.folder);
    const arrivedAtMs: number[] = [];
    const answer = async ({ url }: Request) => {
      arrivedAtMs.push(performance.now());
      await Bun.sleep(20);
      return new Response('Hi', url.endsWith('/moved') ? { status: 302, headers: { location: '/' } } : {});
    };
    await using server = Bun.serve({ port: 0, hostname: `${NET}.1`, fetch: answer });
    const loadBy = async (tool: LoadTool, program: string, path = '/') => {
      arrivedAtMs.length = 0;
      const request = { weight: 1, method: 'GET', path, headers: {}, chunked: false } as const;
      const load = {
        origin: `http://${NET}.1:${server.port}`,
        requests: [request],
        connections: 20,
        durationSeconds: 4,
      };
      const found = { tool, path: program, version: '', host: undefined };
      const loaded = await runLoad(found, { ...load, rate: 20 }, undefined);
      const gapsMs = arrivedAtMs.slice(1).map((at, index) => at - (arrivedAtMs[index] as number));
      return { ...loaded, arrived: arrivedAtMs.length, gapMs: gapsMs.toSorted((a, b) => a - b)[gapsMs.length >> 1] };
    };

    const there = place.write('there', `#!/bin/sh\nexec ${THERE} '${BOMBARDIER}' "$@"\n`, 0o755);
    const [byLocust, byBombardier] = [await loadBy(locust, String(LOCUST)), await loadBy(bombardier, there)];
    for (const { requests, errors, arrived, latencyUs } of [byLocust, byBombardier]) {
      expect(errors).toEqual([]);
      expect(arrived - requests).toBeWithin(0, 20);
      expect(requests).toBeWithin(65, 90);
      expect(latencyUs?.mean).toBeWithin(20_000, 200_000);
      expect(latencyUs?.p50).toBeWithin(20_000, 200_000);
    }
    // A server works for what is under way when the time is up, too.
    expect(byLocust.arrived).toBe(byLocust.requests);
    // All at once, they would be less than 1 ms apart.
    expect(byLocust.gapMs).toBeGreaterThan(3);
    const moved = await loadBy(locust, String(LOCUST), '/moved');
    expect(moved).toMatchObject({ requests: 0, errors: [{ detail: expect.stringContaining('302') }] });

    const exchanges = [
      { request: { method: 'POST', body: '{"a":"1 é"}' }, answer: { body: 'Hi' } },
      { request: {}, answer: { body: 'Hi' } },
    ];
    const suite = place.suite({ a: HI }, { answer: undefined, tasks: [{ name: 'mix', exchanges }] });
    const run = await place.measure([...SHORT, ...PACED, '--listen', `${NET}.1`, '--suite', suite]);
    // On a busy machine users begin too late for the rate, and tracetax says so.
    expect(run.outcome.faults.filter(({ what }) => what !== 'rate not held')).toEqual([]);
    expect(run.result.tool).toMatchObject({ name: 'locust', latencyFrom: 'sent' });
    for (const { requests } of loadedIn(run.result)) expect(requests).toBeGreaterThan(100);
  },
  // On a busy machine users begin, and end, too late for these bounds.
  { timeout: LIMIT_MS, retry: 2 },
);

test.skipIf(!LOCUST)(
  'a body may be in a file',
  async () => {
    await using place = new Workplace();
    const request = { method: 'POST', bodyFile: place.write('body.json', '{"a":"é"}') };
    const suite = place.suite({ a: HI }, { request });
    expect(await place.run([...SHORTEST, ...PACED, '--dry-run', '--suite', suite])).toMatchObject({ status: 0 });
  },
  LIMIT_MS,
);

test.skipIf(!LOCUST)(
  'a kit that is killed leaves neither masters nor workers',
  async () => {
    await using place = new Workplace();
    const run = place.start([...SHORTEST, ...PACED, '--slice', '60s', '--suite', place.suite({ a: HI })]);
    const programs = () => place.processes().map((pid) => Bun.spawnSync(['ps', '-o', 'args=', String(pid)]).stdout);
    await until(() => programs().filter((line) => line.includes('locustfile.py')).length >= 4);
    run.kill('SIGKILL');
    await finished(run);
    await place.end();
  },
  LIMIT_MS,
);
