// Loaded into every server before its own code, by --preload (Bun) or --import (Node): outside of the scripts, and the
// same for all. Asked over IPC, before and after a measurement, it tells what the process used in between. In the
// meantime it does no more than let two timers run. Plain JavaScript, so that Node runs it too.
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';

const SAMPLE_EVERY_MS = 100;
const DELAY_RESOLUTION_MS = 20;
const isBun = process.versions.bun !== undefined;

const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
const collections = observeCollections();
const memory = { rssBytes: series(), heapBytes: series() };
let cpuBefore = process.cpuUsage();

if (process.send) {
  delay.enable();
  setInterval(sampleMemory, SAMPLE_EVERY_MS).unref();
  process.on('message', answer);
}

async function answer(message) {
  if (message?.type === 'tracetax:begin') process.send?.({ ...(await begin()), type: 'tracetax:began' });
  if (message?.type === 'tracetax:end') process.send?.({ ...(await end()), type: 'tracetax:ended' });
}

async function begin() {
  // What waits from before would be counted as exported in between.
  await flush();
  for (const each of Object.values(memory)) each.reset();
  if (collections) Object.assign(collections, { count: 0, ms: 0 });
  delay.reset();
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
    eventLoopDelayUs: { p50: delayUs(50), p99: delayUs(99), max: delayUs(100) },
    garbageCollections: collections && { ...collections },
  };
  await flush();
  return { ...used, telemetry: countTelemetry() };
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

/** Node's histogram holds the whole time from tick to tick, Bun's what it was late. */
function delayUs(percentile) {
  const ns = percentile === 100 ? delay.max : delay.percentile(percentile);
  return Math.max(0, ns / 1e3 - (isBun ? 0 : DELAY_RESOLUTION_MS * 1e3));
}

/** Counts garbage collections where the runtime tells them; undefined where it does not. */
function observeCollections() {
  if (!PerformanceObserver.supportedEntryTypes.includes('gc')) return undefined;
  const counts = { count: 0, ms: 0 };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      counts.count++;
      counts.ms += duration;
    }
  }).observe({ entryTypes: ['gc'] });
  return counts;
}

/**
 * Instrumentation that counts what it does adds `{ counts(), flush() }` to this array: see docs/suites.md. The counts
 * of all are added up; null where there is none.
 */
function sources() {
  return globalThis[Symbol.for('tracetax.telemetry')] ?? [];
}

function flush() {
  return Promise.all(sources().map((source) => source.flush()));
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
