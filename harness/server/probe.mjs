// Loaded into every server before its own code, by --preload (Bun) or --import (Node): outside of the scripts, and the
// same for all. Asked over a socket, before and after a measurement, it tells what the process used in between. In the
// meantime it does no more than let two timers run. Plain JavaScript, so that Node runs it too.
//
// A Unix socket of its own, and no import under Bun: asked over the channel of Bun.spawn({ ipc }), and with the monitor of
// node:perf_hooks, it made each request of a server 1 to 3 % dearer (docs/method.md).

const SAMPLE_EVERY_MS = 100;
const TICK_EVERY_MS = 20;
/** As many ticks as 10 minutes have; later ones are left out of the percentiles. */
const MAX_TICKS = 30_000;
/** From one sample of a profile to the next. Half of it costs twice as much, and tells little more (docs/explain.md). */
const PROFILE_EVERY_US = 500;
const QUESTIONS = { begin, end, 'profile begin': beginProfile, 'profile end': endProfile };
const isBun = process.versions.bun !== undefined;

const lateMs = new Float32Array(MAX_TICKS);
let ticks = 0;
let maxLateMs = 0;
let dueAt = 0;
const memory = { rssBytes: series(), heapBytes: series() };
const collections = isBun ? undefined : { count: 0, ms: 0 };
let cpuBefore = process.cpuUsage();

const folder = process.env.TRACETAX_PROBE;
if (folder) {
  if (isBun) listenOnLoopback();
  if (collections) await observeCollections(collections);
  dueAt = performance.now() + TICK_EVERY_MS;
  setTimeout(tick, TICK_EVERY_MS).unref();
  setInterval(sampleMemory, SAMPLE_EVERY_MS).unref();
  await listen(`${folder}/${process.pid}.sock`);
}

/** A server that names no address would be open to the network while it is measured: Bun's default is 0.0.0.0. */
function listenOnLoopback() {
  const { serve } = Bun;
  Bun.serve = (options) => serve(options.unix ? options : { hostname: '127.0.0.1', ...options });
}

/** Each connection brings one question, is given its answer in JSON, and closed. */
async function listen(path) {
  if (isBun) {
    const data = async (socket, question) => void socket.end(await answer(String(question)));
    return Bun.listen({ unix: path, socket: { data } }).unref();
  }
  const { createServer } = await import('node:net');
  const server = createServer((socket) => {
    socket.once('data', async (question) => void socket.end(await answer(String(question))));
  });
  server.listen(path).unref();
}

async function answer(question) {
  return JSON.stringify(await QUESTIONS[question]());
}

async function begin() {
  // What waits from before would be counted as exported in between.
  await flush();
  for (const each of Object.values(memory)) each.reset();
  if (collections) Object.assign(collections, { count: 0, ms: 0 });
  ticks = maxLateMs = 0;
  knownCost()?.reset();
  cpuBefore = process.cpuUsage();
  return { telemetry: countTelemetry() };
}

async function end() {
  const { user, system } = process.cpuUsage(cpuBefore);
  sampleMemory();
  const used = {
    pid: process.pid,
    runtime: {
      name: isBun ? 'bun' : 'node',
      version: process.versions.bun ?? process.versions.node,
      isDebugBuild: /debug/.test(process.versions.bun ?? '') || process.features.debug === true,
      mode: process.env.NODE_ENV ?? null,
    },
    cpuUserUs: user,
    cpuSystemUs: system,
    rssBytes: memory.rssBytes.summary(),
    heapBytes: memory.heapBytes.summary(),
    eventLoopDelayUs: eventLoopDelayUs(),
    garbageCollections: collections && { ...collections },
    trueCostUs: knownCost()?.meanUs() ?? null,
  };
  await flush();
  return { ...used, telemetry: countTelemetry() };
}

let profiler;

/** From now on samples what JavaScript does. Loaded only now: nothing of it is in a server that is measured. */
async function beginProfile() {
  try {
    const { Session } = await import('node:inspector/promises');
    profiler = new Session();
    profiler.connect();
    await profiler.post('Profiler.enable');
    await profiler.post('Profiler.setSamplingInterval', { interval: PROFILE_EVERY_US });
    await profiler.post('Profiler.start');
    return { intervalUs: PROFILE_EVERY_US };
  } catch (error) {
    return { error: String(error) };
  }
}

/** Puts the profile beside the socket: it is too large for an answer. */
async function endProfile() {
  const { profile } = await profiler.post('Profiler.stop');
  profiler.disconnect();
  const { writeFile } = await import('node:fs/promises');
  await writeFile(`${folder}/profile.json`, JSON.stringify(profile));
  return {};
}

/** Each tick is due so long after the one before, and notes by how much it was late. */
function tick() {
  const now = performance.now();
  const late = Math.max(0, now - dueAt);
  if (ticks < MAX_TICKS) lateMs[ticks++] = late;
  if (late > maxLateMs) maxLateMs = late;
  dueAt = now + TICK_EVERY_MS;
  setTimeout(tick, TICK_EVERY_MS).unref();
}

function eventLoopDelayUs() {
  const sorted = lateMs.slice(0, ticks).sort();
  const at = (share) => (sorted[Math.floor(share * (ticks - 1))] ?? 0) * 1e3;
  return { p50: at(0.5), p99: at(0.99), max: maxLateMs * 1e3 };
}

function sampleMemory() {
  const { rss, heapUsed } = process.memoryUsage();
  memory.rssBytes.add(rss);
  memory.heapBytes.add(heapUsed);
}

/** Mean and maximum of what is added. */
function series() {
  let sum = 0;
  let count = 0;
  let max = 0;
  return {
    add(value) {
      sum += value;
      count++;
      if (value > max) max = value;
    },
    reset() {
      sum = count = max = 0;
    },
    summary: () => ({ mean: sum / count, max }),
  };
}

/** Counts garbage collections, which Node tells and Bun does not. */
async function observeCollections(counts) {
  const { PerformanceObserver } = await import('node:perf_hooks');
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      counts.count++;
      counts.ms += duration;
    }
  }).observe({ entryTypes: ['gc'] });
}

/**
 * Instrumentation that counts what it does adds `{ counts(), flush() }` to this array: see docs/suites.md. The counts
 * of all are added up; null if there is none.
 */
function sources() {
  return globalThis[Symbol.for('tracetax.telemetry')] ?? [];
}

/** A server whose extra cost is known puts `{ reset(), meanUs() }` there: see docs/suites.md. */
function knownCost() {
  return globalThis[Symbol.for('tracetax.trueCost')];
}

/** One after the other: after a single Promise.all each request of a server on Bun was 1 % dearer. */
async function flush() {
  for (const source of sources()) await source.flush();
}

function countTelemetry() {
  if (sources().length === 0) return null;
  const total = { spansStarted: 0, spansExported: 0, spansDropped: 0, requestsMeasured: 0 };
  for (const source of sources()) {
    const counts = source.counts();
    for (const name of Object.keys(total)) total[name] += counts[name] ?? 0;
  }
  return total;
}
