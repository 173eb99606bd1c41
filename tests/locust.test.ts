// Steady rates by Locust (scripts/setup.sh --with-locust).
import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { finished, HI, LIMIT_MS, loadedIn, ROOT, SHORT, SHORTEST, until, WHOLE, Workplace } from './bench.ts';

const LOCUST = [Bun.which('locust'), join(ROOT, '.tools/bin/locust')].find((path) => path && existsSync(path));
const PACED = ['--tool', 'locust', '--rate', '200'];
const NAME = `lo${process.pid}`;
/** Of the range for benchmarks (RFC 2544). */
const NET = `198.19.${process.pid % 256}`;
const call = (line: string) => Bun.spawnSync(line.split(' '), { stderr: 'ignore' }).success;
const isRoot = process.getuid?.() === 0 && Bun.which('ip') !== null;

test.skipIf(!LOCUST || !isRoot)(
  'a mix at a steady rate, by masters whose workers are on another host',
  async () => {
    await using place = new Workplace();
    const locustfile = join(ROOT, 'harness/load/locustfile.py');
    const started: Bun.Subprocess[] = [];
    const start = (line: string) =>
      started.push(Bun.spawn(line.split(' '), { cwd: place.folder, stdio: ['ignore', 'ignore', 'ignore'] }));
    try {
      for (const line of [
        `ip netns add ${NAME}`,
        `ip link add ${NAME} type veth peer name far netns ${NAME}`,
        `ip addr add ${NET}.1/24 dev ${NAME}`,
        `ip link set ${NAME} up`,
        `ip -n ${NAME} addr add ${NET}.2/24 dev far`,
        `ip -n ${NAME} link set far up`,
      ])
        expect(call(line)).toBe(true);
      const ports = [18_411, 18_412];
      for (const port of ports) {
        const own = `--master-bind-host ${NET}.1 --master-bind-port ${port + 100}`;
        start(`${LOCUST} -f ${locustfile} --master --web-host 127.0.0.1 --web-port ${port} ${own}`);
        const there = `--worker --master-host ${NET}.1 --master-port ${port + 100}`;
        start(`ip netns exec ${NAME} ${LOCUST} -f - ${there}`);
      }
      const masters = ports.map((port) => `http://127.0.0.1:${port}`);
      const isReady = async (url: string) =>
        ((await (await fetch(`${url}/tracetax`)).json()) as { state: string }).state === 'ready';
      while (!(await Promise.all(masters.map((url) => isReady(url).catch(() => false)))).every(Boolean))
        await Bun.sleep(100);
      const answer = { body: 'Hi' };
      const exchanges = [
        { request: { method: 'POST', body: '{"a":"1 2"}' }, answer },
        { request: {}, answer },
      ];
      const suite = place.suite({ a: HI }, { answer: undefined, tasks: [{ name: 'mix', exchanges }] });
      const more = ['--listen', `${NET}.1`, '--slice', '2s', '--suite', suite];
      const run = await place.measure([...SHORT, ...PACED, ...more], { LOCUST_MASTER: masters.join(',') });
      expect(run.outcome).toEqual(WHOLE);
      expect(run.result.tool).toMatchObject({ name: 'locust', latencyFrom: 'sent' });
      for (const { requests, latencyUs } of loadedIn(run.result)) {
        expect(requests).toBeWithin(390, 460);
        expect(latencyUs?.p99).toBeGreaterThan(10);
      }
    } finally {
      for (const each of started) each.kill('SIGKILL');
      await Promise.all(started.map(({ exited }) => exited));
      call(`ip netns del ${NAME}`);
    }
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
