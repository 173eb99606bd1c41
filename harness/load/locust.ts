import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { freePort } from '../machine/free-port.ts';
import { coresOf, type Pinning, pinnedLoad } from '../machine/pinning.ts';
import { watchCpu } from '../machine/process-clock.ts';
import { Child } from '../processes/child.ts';
import { temporaryFolder } from '../processes/watchdog.ts';
import { latencySchema } from '../result/pair-schema.ts';
import { orProblem, Problem } from '../words/errors.ts';
import { type Load, type LoadTool, namedHeaders, type Report, UNPACKED } from './tool.ts';

const LOCUSTFILE = join(import.meta.dir, 'locustfile.py');
const LOOPBACK = '127.0.0.1';
/** What a master may take to have its workers, to answer, or to be in the next state. */
const WITHIN_MS = 30_000;
const POLL_MS = 20;

/** A page of locustfile.py. */
const pageSchema = z.object({
  statuses: z.record(z.string(), z.int().nonnegative()),
  failures: z.record(z.string(), z.int()),
  latencyUs: latencySchema,
});

/** A master makes one load at a time. `child`: undefined for one of the user's. */
type Master = { url: string; child?: Child };

/** Those that are free, once they are there. */
let masters: Promise<Master[]> | undefined;

/** Drives the masters in `$LOCUST_MASTER`, or two that it starts here: two servers can be under load at once. */
export const locust: LoadTool = {
  name: 'locust',
  version: /^locust (\d\S*)/m,
  lacks: ['load host'],
  latencyFrom: 'sent',

  /** The same by hand, without a master. */
  argv(load) {
    const { origin, connections, durationSeconds } = load;
    const users = [
      '-u',
      String(connections),
      '-r',
      String(connections),
      '-t',
      `${durationSeconds}s`,
    ];
    return ['-f', LOCUSTFILE, '--headless', ...users, '--host', origin, '--load', argumentOf(load)];
  },

  /** Reads a page of a master, which does not say how long the load took. */
  parse: (page) => ({ seconds: 0, ...pageSchema.parse(JSON.parse(page)) }),

  async run(path, load, pinning) {
    const named = process.env.LOCUST_MASTER?.split(',').map((url) => ({
      url: url.replace(/\/$/, ''),
    }));
    if (named?.length === 1)
      throw new Problem('One Locust master is too few', 'Name two masters in $LOCUST_MASTER');
    masters ??= named
      ? Promise.resolve(named)
      : Promise.all([startMaster(path, pinning), startMaster(path, pinning)]);
    const free = await masters;
    while (free.length === 0) await Bun.sleep(POLL_MS);
    const master = free.pop() as Master;
    return swarm(master, load).finally(() => free.push(master));
  },
};

/** What its users send, how often each, and after how long again. */
function argumentOf({ requests, rate, connections }: Load): string {
  const sent = requests.map(({ method, path, headers, body, bodyFile }) => ({
    ...{ method, url: path },
    // A character for each byte.
    data:
      bodyFile === undefined
        ? Buffer.from(body ?? '').toString('latin1')
        : readFileSync(bodyFile, 'latin1'),
    headers: namedHeaders(headers, UNPACKED),
  }));
  const weights = requests.map(({ weight }) => weight);
  return JSON.stringify({
    requests: sent,
    weights,
    intervalSeconds: rate ? connections / rate : 0,
  });
}

async function swarm({ url, child }: Master, load: Load): Promise<Report> {
  const { connections, origin, durationSeconds } = load;
  const used = child && watchCpu(child.pid);
  const users = String(connections);
  const form = new URLSearchParams({
    user_count: users,
    spawn_rate: users,
    host: origin,
    load: argumentOf(load),
  });
  const startedMs = performance.now();
  await ask(url, 'swarm', form);
  const sending = async () => {
    await ask(url, 'tracetax/running');
    await Bun.sleep(durationSeconds * 1_000);
    return (performance.now() - startedMs) / 1_000;
  };
  const seconds = await sending().finally(() => ask(url, 'stop'));
  const report = locust.parse(await ask(url, 'tracetax/ready'));
  return { ...report, seconds, used: { cpuNs: used?.().ns ?? 0, sleeps: null } };
}

/** Asks a master; `tracetax/STATE` answers once all users run, or all workers have reported and wait. @throws Problem */
function ask(url: string, page: string, body = new URLSearchParams()): Promise<string> {
  const get = async () => {
    const answer = await fetch(`${url}/${page}`, {
      method: 'POST',
      body,
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    if (!answer.ok) throw new Error(`status ${answer.status} for ${page}`);
    return answer.text();
  };
  return orProblem(
    get,
    `The Locust master ${url} does not answer`,
    'Start it with harness/load/locustfile.py',
  );
}

/** One with a worker for each core. @throws Problem if its workers don't come. */
async function startMaster(path: string, pinning: Pinning | undefined): Promise<Master> {
  const [webPort, port] = await Promise.all([freePort(), freePort()]);
  const argv = [
    ...[path, '-f', LOCUSTFILE, '--processes', String(coresOf(pinning))],
    ...['--web-host', LOOPBACK, '--web-port', String(webPort), '--master-bind-host', LOOPBACK],
    ...['--master-bind-port', String(port), '--master-port', String(port)],
  ];
  // A folder without a locust.conf.
  const child = new Child(pinnedLoad(argv, pinning), { cwd: temporaryFolder() });
  const url = `http://${LOOPBACK}:${webPort}`;
  const isReady = () => ask(url, 'tracetax/ready').then(Boolean, () => false);
  const failure = await child.readinessFailure('had its workers', isReady, WITHIN_MS);
  if (failure) throw new Problem(`Locust ${failure}`, `Run it by hand: ${argv.join(' ')}`);
  return { url, child };
}
