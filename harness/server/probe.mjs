// Loaded into every server before its own code, by --preload (Bun) or --import (Node: so this is plain JavaScript).
// Asked over a socket before and after a measurement, it tells what was used in between. Meanwhile two timers run.
//
// A Unix socket of its own, and no import under Bun: asked over the channel of Bun.spawn({ ipc }), and with the monitor of
// node:perf_hooks, it made each request of a server 1 to 3 % dearer (docs/method-trials.md).

const SAMPLE_EVERY_MS = 100;
const TICK_EVERY_MS = 20;
/** From one sample of a profile to the next. */
const PROFILE_EVERY_US = 500;
const QUESTIONS = { begin, end, 'profile begin': beginProfile, 'profile end': endProfile };
const isBun = process.versions.bun !== undefined;

/** Memory, and how late each tick was. */
const samples = { rssBytes: [], heapBytes: [], lateMs: [] };
let dueAt = 0;
let cpuBefore = process.cpuUsage();

const folder = process.env.TRACETAX_PROBE;
/** Node loads this into every thread of a server, too. They share its number, and so its socket. */
const isWorker = !isBun && !(await import('node:worker_threads')).isMainThread;
if (folder && !isWorker) {
  if (isBun) listenOnHost();
  dueAt = performance.now() + TICK_EVERY_MS;
  setTimeout(tick, TICK_EVERY_MS).unref();
  setInterval(sampleMemory, SAMPLE_EVERY_MS).unref();
  await listen(`${folder}/${process.pid}.sock`);
}

/** A server that names no address would be open to every network while it is measured: Bun's default is 0.0.0.0. */
function listenOnHost() {
  const { serve } = Bun;
  const get = (options, name) =>
    name === 'hostname' ? (options.hostname ?? (options.unix ? undefined : process.env.HOST)) : options[name];
  // No copy: that would lack what the options have from their class.
  Bun.serve = (options) => serve(new Proxy(options, { get }));
}

/** Each connection brings one question, is given its answer in JSON, and closed. */
async function listen(path) {
  const reply = async (socket, question) => void socket.end(await answer(String(question)));
  if (isBun) return Bun.listen({ unix: path, socket: { data: reply } }).unref();
  const { createServer } = await import('node:net');
  const server = createServer((socket) => socket.once('data', (question) => reply(socket, question)));
  server.listen(path).unref();
}

/** What fails, such as a profiler that the runtime lacks, is told: the server goes on. */
async function answer(question) {
  try {
    return JSON.stringify(await QUESTIONS[question]());
  } catch (error) {
    return JSON.stringify({ error: String(error) });
  }
}

function begin() {
  for (const each of Object.values(samples)) each.length = 0;
  knownCost()?.reset();
  cpuBefore = process.cpuUsage();
  return 'begun';
}

function end() {
  const { user, system } = process.cpuUsage(cpuBefore);
  sampleMemory();
  return {
    runtime: {
      name: isBun ? 'bun' : 'node',
      version: process.versions.bun ?? process.versions.node,
      mode: process.env.NODE_ENV ?? null,
    },
    cpuUserUs: user,
    cpuSystemUs: system,
    rssBytes: meanAndMax(samples.rssBytes),
    heapBytes: meanAndMax(samples.heapBytes),
    eventLoopDelayUs: eventLoopDelayUs(),
    trueCostUs: knownCost()?.meanUs() ?? null,
  };
}

let profiler;

/** From now on samples what JavaScript does. Loaded only now: nothing of it is in a server that is measured. */
async function beginProfile() {
  const { Session } = await import('node:inspector/promises');
  profiler = new Session();
  profiler.connect();
  await profiler.post('Profiler.enable');
  await profiler.post('Profiler.setSamplingInterval', { interval: PROFILE_EVERY_US });
  await profiler.post('Profiler.start');
  return { intervalUs: PROFILE_EVERY_US };
}

/** Puts the profile beside the socket: it is too large for an answer. */
async function endProfile() {
  const { profile } = await profiler.post('Profiler.stop');
  profiler.disconnect();
  const { writeFile } = await import('node:fs/promises');
  await writeFile(`${folder}/profile.json`, JSON.stringify(profile));
  return 'ended';
}

/** Each tick is due so long after the one before, and notes by how much it was late. */
function tick() {
  const now = performance.now();
  samples.lateMs.push(Math.max(0, now - dueAt));
  dueAt = now + TICK_EVERY_MS;
  setTimeout(tick, TICK_EVERY_MS).unref();
}

function eventLoopDelayUs() {
  const sorted = [...samples.lateMs].sort((one, other) => one - other);
  const at = (share) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0) * 1e3;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

function sampleMemory() {
  const { rss, heapUsed } = process.memoryUsage();
  samples.rssBytes.push(rss);
  samples.heapBytes.push(heapUsed);
}

function meanAndMax(values) {
  const sum = values.reduce((total, each) => total + each, 0);
  return { mean: sum / values.length, max: values.reduce((most, each) => Math.max(most, each)) };
}

/** A server whose extra cost is known puts `{ reset(), meanUs() }` there: see docs/suites.md. */
function knownCost() {
  return globalThis[Symbol.for('tracetax.trueCost')];
}
