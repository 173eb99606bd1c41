import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Child } from '../machine/child.ts';
import { openCpuClock, watchGroup } from '../machine/cpu-time.ts';
import { freePort } from '../machine/free-port.ts';
import { coresOf, type Pinning, pinnedLoad } from '../machine/pinning.ts';
import { temporaryFolder } from '../machine/watchdog.ts';
import { latencySchema } from '../result/pair-schema.ts';
import { orProblem, Problem } from '../words/errors.ts';
import { type Load, type LoadTool, namedHeaders, type Report, UNPACKED } from './tool.ts';

const LOCUSTFILE = join(import.meta.dir, 'locustfile.py');
const LOOPBACK = '127.0.0.1';
/** What a master may take to have its workers, to answer, or to be in the next state. */
const WITHIN_MS = 30_000;

/** What GET /tracetax of a master says, a page of locustfile.py. */
const pageSchema = z.object({
  /** `ready`: all its workers wait for a load. `running`: all users send. */
  state: z.string(),
  requests: z.int().nonnegative(),
  errors: z.record(z.string(), z.int()),
  latencyUs: latencySchema,
  underWay: z.int().nonnegative(),
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
    const users = ['-u', String(connections), '-r', String(connections), '-t', `${durationSeconds}s`];
    return ['-f', LOCUSTFILE, '--headless', ...users, '--host', origin, '--load', argumentOf(load)];
  },

  /** Reads GET /tracetax of a master, which does not say how long the load took. */
  parse(stdout) {
    const { requests, errors, latencyUs, underWay } = pageSchema.parse(JSON.parse(stdout));
    return { seconds: 0, statuses: { '2xx': requests }, failures: errors, latencyUs, underWay };
  },

  async run(path, load, pinning) {
    const named = process.env.LOCUST_MASTER?.split(',').map((url) => ({ url: url.replace(/\/$/, '') }));
    masters ??= named ? Promise.resolve(named) : Promise.all([startMaster(path, pinning), startMaster(path, pinning)]);
    const free = await masters;
    const master = free.pop();
    if (!master) throw new Problem('All Locust masters are busy', 'Name two masters in $LOCUST_MASTER');
    try {
      return await swarm(master, load);
    } finally {
      free.push(master);
    }
  },
};

/** What its users send, and how often each. */
function argumentOf({ requests, rate, connections }: Load): string {
  const sent = requests.map(({ weight, method, path, headers, body, bodyFile }) => ({
    ...{ weight, method, url: path },
    // A character for each byte.
    data: bodyFile === undefined ? Buffer.from(body ?? '').toString('latin1') : readFileSync(bodyFile, 'latin1'),
    headers: namedHeaders(headers, UNPACKED),
  }));
  return JSON.stringify({ requests: sent, perSecond: rate ? rate / connections : 0 });
}

async function swarm({ url, child }: Master, load: Load): Promise<Report> {
  const { connections, origin, durationSeconds } = load;
  const used = child && watchGroup(openCpuClock(), child.pid);
  const users = String(connections);
  const form = new URLSearchParams({ user_count: users, spawn_rate: users, host: origin, load: argumentOf(load) });
  const startedMs = performance.now();
  await ask(url, 'swarm', form);
  let seconds = 0;
  try {
    await whenIn('running', url);
    await Bun.sleep(durationSeconds * 1_000);
    seconds = (performance.now() - startedMs) / 1_000;
  } finally {
    await ask(url, 'stop', new URLSearchParams());
  }
  const report = locust.parse(await whenIn('ready', url));
  return { ...report, seconds, used: { cpuNs: used?.().ns ?? 0, sleeps: null } };
}

/** What a master says once all users run, or all workers have reported and wait. @throws Problem if they don't */
async function whenIn(state: 'running' | 'ready', url: string): Promise<string> {
  for (const deadline = performance.now() + WITHIN_MS; performance.now() < deadline; await Bun.sleep(20)) {
    const page = await ask(url, 'tracetax');
    if (stateIn(page) === state) return page;
  }
  throw new Problem(`The Locust master ${url} does not become ${state}`, 'See what it and its workers say');
}

const stateIn = (page: string) => pageSchema.parse(JSON.parse(page)).state;

/** Asks a master. @throws Problem if it does not answer. */
function ask(url: string, page: string, body?: URLSearchParams): Promise<string> {
  const get = async () => {
    const init = { ...(body && { method: 'POST', body }), signal: AbortSignal.timeout(WITHIN_MS) };
    const answer = await fetch(`${url}/${page}`, init);
    if (!answer.ok) throw new Error(`status ${answer.status} for ${page}`);
    return answer.text();
  };
  return orProblem(get, `The Locust master ${url} does not answer`, 'Start it with harness/load/locustfile.py');
}

/** One with a worker for each core. @throws Problem if its workers don't come. */
async function startMaster(path: string, pinning: Pinning | undefined): Promise<Master> {
  const [webPort, port] = await Promise.all([freePort(), freePort()]);
  const workers = coresOf(pinning);
  const argv = [
    ...[path, '-f', LOCUSTFILE, '--processes', String(workers), '--web-host', LOOPBACK, '--web-port', String(webPort)],
    ...['--master-bind-host', LOOPBACK, '--master-bind-port', String(port), '--master-port', String(port)],
  ];
  // A folder without a locust.conf.
  const child = new Child(pinnedLoad(argv, pinning), { cwd: temporaryFolder() });
  const url = `http://${LOOPBACK}:${webPort}`;
  const isReady = async () => (await ask(url, 'tracetax').then(stateIn, () => '')) === 'ready';
  const failure = await child.unready('had its workers', isReady, WITHIN_MS);
  if (failure) throw new Problem(`Locust ${failure}`, `Run it by hand: ${argv.join(' ')}`);
  return { url, child };
}
