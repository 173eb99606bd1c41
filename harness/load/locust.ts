import { join } from 'node:path';
import getPort from 'get-port';
import { z } from 'zod';
import { Child } from '../machine/child.ts';
import { coresOf, type Pinning, pinnedLoad } from '../machine/pinning.ts';
import { temporaryFolder } from '../machine/watchdog.ts';
import { Problem } from '../words/errors.ts';
import type { LoadTool } from './tool.ts';

const LOCUSTFILE = join(import.meta.dir, 'locustfile.py');
const SLICE_PROGRAM = join(import.meta.dir, 'locust-slice.py');
const LOOPBACK = '127.0.0.1';
const START_WITHIN_MS = 30_000;

/** Locust's times are in ms. */
const time = z.number().transform((ms) => ms * 1e3);

/** The line that locust-slice.py prints. */
const outputSchema = z.object({
  seconds: z.number(),
  statuses: z.record(z.string(), z.number()),
  failures: z.record(z.string(), z.number()),
  latencyMs: z.object({ mean: time, max: time, p50: time, p90: time, p95: time, p99: time, p999: time }).nullable(),
  cpuSeconds: z.number(),
  sleeps: z.number(),
});

let serving: Promise<void> | undefined;

/** The masters are those of `$LOCUST_MASTER`, which locust-slice.py reads, or two that are started here. */
export const locust: LoadTool = {
  name: 'locust',
  version: /^locust (\d\S*)/m,
  lacks: ['host'],
  latencyFrom: 'sent',
  program: SLICE_PROGRAM,

  async serve(path, pinning) {
    if (!process.env.LOCUST_MASTER) serving ??= startMasters(path, pinning);
    await serving;
  },

  argv({ origin, requests, connections, durationSeconds, rate = null }) {
    return [JSON.stringify({ origin, users: connections, seconds: durationSeconds, rate, requests })];
  },

  parse(stdout) {
    const { latencyMs, cpuSeconds, sleeps, ...report } = outputSchema.parse(JSON.parse(stdout));
    return { ...report, latencyUs: latencyMs, used: { cpuNs: cpuSeconds * 1e9, sleeps } };
  },
};

/** Two, because two servers can be under load at once, and a master makes one load at a time. */
async function startMasters(path: string, pinning: Pinning | undefined): Promise<void> {
  const urls = await Promise.all([startMaster(path, pinning), startMaster(path, pinning)]);
  process.env.LOCUST_MASTER = urls.join();
  process.env.LOCUST_LOCKS = temporaryFolder();
}

/** One with a worker for each core. Resolves to its URL once all are ready. @throws Problem if they don't become so. */
async function startMaster(path: string, pinning: Pinning | undefined): Promise<string> {
  const workers = coresOf(pinning);
  const [webPort, port] = await Promise.all([getPort({ host: LOOPBACK }), getPort({ host: LOOPBACK })]);
  const argv = [
    ...[path, '-f', LOCUSTFILE, '--processes', String(workers), '--web-host', LOOPBACK, '--web-port', String(webPort)],
    ...['--master-bind-host', LOOPBACK, '--master-bind-port', String(port), '--master-port', String(port)],
  ];
  // A folder without a locust.conf.
  const child = new Child(pinnedLoad(argv, pinning), { cwd: temporaryFolder() });
  const url = `http://${LOOPBACK}:${webPort}`;
  const isReady = async () => (await readyWorkers(url)) >= workers;
  const failure = await child.unready('had its workers', isReady, START_WITHIN_MS);
  if (failure) throw new Problem(`Locust ${failure}`, `Run it by hand: ${argv.join(' ')}`);
  return url;
}

async function readyWorkers(url: string): Promise<number> {
  const answer = await fetch(`${url}/tracetax`).catch(() => undefined);
  return answer?.ok ? z.object({ ready: z.array(z.string()) }).parse(await answer.json()).ready.length : 0;
}
