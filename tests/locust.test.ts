// Steady rates by Locust's own masters and workers, where it is installed (scripts/setup.sh --with-locust).
import { expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import getPort from 'get-port';
import { finished, HI, LIMIT_MS, loadedIn, ROOT, SHORT, SHORTEST, until, WHOLE, Workplace } from './bench.ts';

const LOCUST = [Bun.which('locust'), join(ROOT, '.tools/bin/locust')].find((path) => path && existsSync(path));
const PACED = ['--tool', 'locust', '--rate', '200'];
/** Each master has a worker for each core, so several wherever a machine has several. */
const TWO_WORKERS = '--no-pin';

test.skipIf(!LOCUST)(
  'a mix at a steady rate, by two masters and their workers that end with the run',
  async () => {
    await using place = new Workplace();
    const headers = { 'x-own': 'a b' };
    const answer = { body: 'Hi' };
    const exchanges = [
      { request: { method: 'POST', path: '/a', headers, body: '{"a":"1 2"}' }, answer, weight: 3 },
      { request: { path: '/b', headers }, answer, weight: 1 },
    ];
    const handler = `
      const { method, url, headers } = request;
      const line = [method, new URL(url).pathname, headers.get('x-own'), await request.text()].join(' ');
      require('node:fs').appendFileSync('seen', line + '\\n');
      ${HI}`;
    const suite = place.suite({ a: handler }, { answer: undefined, tasks: [{ name: 'mix', exchanges }] });
    const run = await place.measure([...SHORT, ...PACED, TWO_WORKERS, '--suite', suite]);
    expect(run.outcome).toEqual(WHOLE);
    for (const { requests, toolCpuNs, latencyUs } of loadedIn(run.result)) {
      expect(requests).toBeWithin(196, 201);
      expect(toolCpuNs).toBeGreaterThan(1e6);
      expect(latencyUs?.p50).toBeGreaterThan(10);
      expect(latencyUs?.p999).toBeGreaterThanOrEqual(Number(latencyUs?.p50));
    }
    const seen = readFileSync(place.path('seen'), 'utf8').trimEnd().split('\n');
    const [post, get] = ['POST /a a b {"a":"1 2"}', 'GET /b a b '];
    expect(seen.filter((line) => line !== post && line !== get)).toEqual([]);
    const posts = seen.filter((line) => line === post).length;
    expect(posts / (seen.length - posts)).toBeWithin(2, 4);
    await place.end();
    expect(readdirSync(place.temporary)).toEqual([]);
  },
  LIMIT_MS,
);

test.skipIf(!LOCUST).each(['SIGINT', 'SIGKILL'] as const)(
  '%s leaves neither masters nor workers',
  async (signal) => {
    await using place = new Workplace();
    const run = place.start([...SHORTEST, ...PACED, '--slice', '60s', '--suite', place.suite({ a: HI })]);
    await until(() => locusts(place) >= 4 && slices(place) > 0);
    run.kill(signal);
    await finished(run);
    await place.end();
  },
  LIMIT_MS,
);

test.skipIf(!LOCUST)(
  'masters of the user: a run that is killed leaves them to the next one',
  async () => {
    await using masters = new Workplace();
    const started = await Promise.all([startMaster(masters), startMaster(masters)]);
    try {
      const env = { LOCUST_MASTER: started.map(({ url }) => url).join() };
      await using place = new Workplace();
      const options = [...SHORTEST, ...PACED, '--suite', place.suite({ a: HI })];
      const killed = place.start([...options, '--slice', '60s'], env);
      await until(() => slices(place) > 0);
      await Bun.sleep(1_000);
      killed.kill('SIGKILL');
      await finished(killed);
      await place.end();
      rmSync(place.path('out.json'));
      expect((await place.measure(options, env)).outcome).toEqual(WHOLE);
    } finally {
      for (const { process } of started) process.kill('SIGTERM');
      await Promise.all(started.map(({ process }) => process.exited));
    }
    await masters.end();
  },
  LIMIT_MS,
);

test('masters that are not there', async () => {
  await using place = new Workplace();
  const LOCUST_MASTER = `http://127.0.0.1:${await getPort()},http://127.0.0.1:${await getPort()}`;
  const run = await place.run([...PACED, '--suite', place.suite({ a: HI })], { LOCUST_MASTER });
  expect(run.status).toBe(2);
  expect(run.stderr).toContain('does not answer as a Locust master with locustfile.py does: <urlopen error');
  expect(run.stderr).toContain('name two masters in $LOCUST_MASTER');
});

/** A master with two workers, as the documents show. */
async function startMaster(place: Workplace) {
  const [webPort, port] = [await getPort(), await getPort()].map(String) as [string, string];
  const web = ['--web-host', '127.0.0.1', '--web-port', webPort];
  const own = ['--master-bind-host', '127.0.0.1', '--master-bind-port', port, '--master-port', port];
  const argv = [String(LOCUST), '-f', join(ROOT, 'harness/load/locustfile.py'), '--processes', '2', ...web, ...own];
  const process = Bun.spawn(argv, { cwd: place.folder, stdio: ['ignore', 'ignore', 'ignore'] });
  const url = `http://127.0.0.1:${webPort}`;
  const page = async () => (await (await fetch(`${url}/tracetax`)).json()) as { ready: string[] };
  const ready = async () => (await page()).ready.length;
  while ((await ready().catch(() => 0)) < 2) await Bun.sleep(50);
  return { process, url };
}

/** Masters and workers here. */
const locusts = (place: Workplace) => running(place, 'locustfile.py');
const slices = (place: Workplace) => running(place, 'locust-slice.py');

function running(place: Workplace, what: string): number {
  return place.processes().filter((pid) => commandOf(pid).includes(what)).length;
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
