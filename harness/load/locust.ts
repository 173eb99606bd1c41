import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { freePort } from '../machine/free-port.ts';
import { LOOPBACK } from '../machine/loopback.ts';
import { type Pinning, pinnedLoad, toolCoreCountOf } from '../machine/pinning.ts';
import { watchCpu } from '../machine/process-clock.ts';
import { Child } from '../processes/child.ts';
import { temporaryFolder } from '../processes/watchdog.ts';
import { latencySchema } from '../result/pair-schema.ts';
import { orProblem, Problem } from '../words/errors.ts';
import {
  type Load,
  type LoadTool,
  namedHeaders,
  type Report,
  UNPACKED,
  type WeightedRequest,
} from './tool.ts';

const LOCUSTFILE = join(import.meta.dir, 'locustfile.py');
/** How long a master may take to have its workers, to answer, or to be in the next state. */
const TIMEOUT_MS = 30_000;
const POLLING_INTERVAL_MS = 20;

/** A page of locustfile.py. */
const pageSchema = z.object({
  statuses: z.record(z.string(), z.int().nonnegative()),
  failures: z.record(z.string(), z.int()),
  latencyUs: latencySchema,
});

/** A Locust master, which makes one load at a time. */
interface Master {
  url: string;
  /** Undefined for a master that the user started. */
  child?: Child;
}

/** A request as locustfile.py gives it to Locust. */
interface LocustRequest {
  method: string;
  url: string;
  /** The body, with a character for each byte. */
  data: string;
  headers: Record<string, string>;
}

/** The masters that make no load at the moment, once all of them are there. */
let freeMasters: Promise<Master[]> | undefined;

/**
 * Locust drives the masters in `$LOCUST_MASTER`, or two that are started here: two servers can be
 * under load at once.
 */
export const locust: LoadTool = {
  name: 'locust',
  version: /^locust (\d\S*)/m,
  lacks: ['load host'],
  latencyFrom: 'sent',
  // Its masters are asked, too, and their workers speak with them.
  opensMore: true,

  /** Returns the arguments that make the same load by hand, without a master. */
  argv(load) {
    const { origin, connections, durationSeconds } = load;
    const users = ['-u', String(connections), '-r', String(connections)];
    const duration = ['-t', `${durationSeconds}s`];
    const target = ['--host', origin, '--load', loadArgument(load)];
    return ['-f', LOCUSTFILE, '--headless', ...users, ...duration, ...target];
  },

  /** Parses a page of a master, which does not tell how long the load took. */
  parse: (page) => ({ seconds: 0, ...pageSchema.parse(JSON.parse(page)) }),

  async run(path, load, pinning) {
    freeMasters ??= mastersOfUser() ?? startMasters(path, pinning);
    const free = await freeMasters;
    const master = await takeMaster(free);
    return swarm(master, load).finally(() => free.push(master));
  },
};

/**
 * Returns the masters in `$LOCUST_MASTER`; undefined if there is no such variable.
 * @throws Problem if it names a single master
 */
function mastersOfUser(): Promise<Master[]> | undefined {
  const urls = process.env.LOCUST_MASTER?.split(',');
  if (urls?.length === 1)
    throw new Problem('One Locust master is too few', 'Name two masters in $LOCUST_MASTER');
  return urls && Promise.resolve(urls.map((url) => ({ url: url.replace(/\/$/, '') })));
}

function startMasters(path: string, pinning: Pinning | undefined): Promise<Master[]> {
  return Promise.all([startMaster(path, pinning), startMaster(path, pinning)]);
}

/** Takes a master out of the free ones, once there is one. */
async function takeMaster(free: Master[]): Promise<Master> {
  for (;;) {
    const master = free.pop();
    if (master) return master;
    await Bun.sleep(POLLING_INTERVAL_MS);
  }
}

/** Returns the JSON that tells users what they send, how often each request, and how far apart. */
function loadArgument({ requests, rate, connections }: Load): string {
  return JSON.stringify({
    requests: requests.map(locustRequest),
    weights: requests.map(({ weight }) => weight),
    intervalSeconds: rate ? connections / rate : 0,
  });
}

function locustRequest({ method, path, headers, body, bodyFile }: WeightedRequest): LocustRequest {
  const data =
    bodyFile === undefined
      ? Buffer.from(body ?? '').toString('latin1')
      : readFileSync(bodyFile, 'latin1');
  return {
    method,
    url: path,
    data,
    headers: namedHeaders(headers, UNPACKED),
  };
}

/** Lets a master make the load, and stops it in any case. @throws Problem if it does not answer */
async function swarm({ url, child }: Master, load: Load): Promise<Report> {
  const used = child && watchCpu(child.pid);
  await ask(url, 'swarm', swarmForm(load));
  const seconds = await waitForLoad(url, load).finally(() => ask(url, 'stop'));
  const report = locust.parse(await ask(url, 'tracetax/ready'));
  return {
    ...report,
    seconds,
    used: { cpuNs: used?.().ns ?? 0, sleeps: null },
  };
}

/** Returns the form of the page on which Locust's web interface starts a load. */
function swarmForm(load: Load): URLSearchParams {
  const users = String(load.connections);
  return new URLSearchParams({
    user_count: users,
    spawn_rate: users,
    host: load.origin,
    load: loadArgument(load),
  });
}

/**
 * Waits until all users have sent for as long as they are to, and returns the seconds since then.
 */
async function waitForLoad(url: string, load: Load): Promise<number> {
  await ask(url, 'tracetax/running');
  const startedMs = performance.now();
  await Bun.sleep(load.durationSeconds * 1_000);
  return (performance.now() - startedMs) / 1_000;
}

/**
 * Returns the answer of a master to a page. `tracetax/running` is answered once all users run, and
 * `tracetax/ready` once all workers have reported and wait.
 * @throws Problem if there is no good answer in time
 */
function ask(url: string, page: string, body = new URLSearchParams()): Promise<string> {
  return orProblem(
    () => post(`${url}/${page}`, page, body),
    `The Locust master ${url} does not answer`,
    'Start it with harness/load/locustfile.py',
  );
}

async function post(url: string, page: string, body: URLSearchParams): Promise<string> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await fetch(url, { method: 'POST', body, signal });
  if (!answer.ok) throw new Error(`status ${answer.status} for ${page}`);
  return answer.text();
}

/** Starts a master with a worker for each core. @throws Problem if its workers don't come. */
async function startMaster(path: string, pinning: Pinning | undefined): Promise<Master> {
  const [webPort, masterPort] = await Promise.all([freePort(), freePort()]);
  const argv = [path, ...masterOptions(webPort, masterPort, toolCoreCountOf(pinning))];
  // The folder is empty: in others, Locust may find a locust.conf.
  const child = new Child(pinnedLoad(argv, pinning), { cwd: temporaryFolder() });
  const url = `http://${LOOPBACK}:${webPort}`;
  const isReady = () => ask(url, 'tracetax/ready').then(Boolean, () => false);
  const failure = await child.readinessFailure('had its workers', isReady, TIMEOUT_MS);
  if (failure) throw new Problem(`Locust ${failure}`, `Run it by hand: ${argv.join(' ')}`);
  return { url, child };
}

function masterOptions(webPort: number, masterPort: number, workers: number): string[] {
  const swarmOptions = ['-f', LOCUSTFILE, '--processes', String(workers)];
  const web = ['--web-host', LOOPBACK, '--web-port', String(webPort)];
  const host = ['--master-bind-host', LOOPBACK];
  const ports = ['--master-bind-port', String(masterPort), '--master-port', String(masterPort)];
  return [...swarmOptions, ...web, ...host, ...ports];
}
