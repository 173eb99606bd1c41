// This script is loaded into every server before its own code, by --preload (Bun) or --require
// (Node from 14.18 on; --import would change how Node loads the server's own code). Asked over a
// socket before and after a measurement, it tells what was used in between. A timer runs meanwhile,
// and at no other time: a server without requests is to use what it needs itself. The script is a
// guest: it throws nothing, and keeps no process alive.
//
// It has a Unix socket of its own, and no module under Bun: asked over the channel of Bun.spawn({
// ipc }), and with the monitor of node:perf_hooks, it made each request of a server 1 to 3 % dearer
// (docs/notes.md).

const TICK_EVERY_MS = 20;
/** The time from one sample of a profile to the next. */
const PROFILE_EVERY_US = 500;
/**
 * What a question makes the probe do: the answer is what that returns (ProbeAnswers in probe.ts).
 */
const QUESTIONS = { begin, end, 'profile begin': beginProfile, 'profile end': endProfile };
const isBun = process.versions.bun !== undefined;
const folder = process.env.TRACETAX_FOLDER;
// These are kept as they are before the server, or a test double in it, replaces them.
const { clearTimeout, setTimeout } = globalThis;
const { hrtime } = process;
const { stringify } = JSON;

/** How late each tick was, in ms. */
let lateMs = [];
let dueAt = 0;
let ticking;
let profiler;

try {
  // Node loads this into every thread of a server, too. They share its number, and so its socket.
  if (folder && (isBun || require('node:worker_threads').isMainThread)) install();
} catch {
  // The server goes on without it.
}

function install() {
  if (isBun) listenOnHost();
  listen(`${folder}/${process.pid}.sock`);
}

/**
 * A server that names no address would be open to every network while it is measured: Bun's default
 * is 0.0.0.0.
 */
function listenOnHost() {
  const { serve } = Bun;
  const get = (options, name) =>
    name === 'hostname'
      ? (options.hostname ?? (options.unix ? undefined : process.env.HOST))
      : options[name];
  // No copy: that would lack what the options have from their class.
  Bun.serve = (options) => serve(new Proxy(options, { get }));
}

/**
 * Each connection brings one question, and ends with its answer. Without a free descriptor nobody
 * answers.
 */
function listen(path) {
  if (isBun) {
    Bun.listen({ unix: path, socket: { data: reply, error: ignore } }).unref();
    return;
  }
  const server = require('node:net').createServer((socket) => {
    socket.on('error', ignore);
    socket.once('data', (question) => reply(socket, question));
  });
  server.on('error', ignore);
  // Exclusive: a worker of a cluster would have its primary listen.
  server.listen({ path, exclusive: true }).unref();
}

function reply(socket, question) {
  answer(String(question))
    .then((text) => socket.end(text))
    .catch(ignore);
}

function ignore() {}

/**
 * Returns the answer in JSON. What fails, such as a profiler that the runtime lacks, is told: the
 * server goes on.
 */
async function answer(question) {
  try {
    return stringify(await QUESTIONS[question]());
  } catch (error) {
    return stringify({ error: String(error) });
  }
}

function begin() {
  clearTimeout(ticking);
  lateMs = [];
  knownCost()?.reset();
  dueAt = nowMs();
  tick();
  return 'begun';
}

function end() {
  clearTimeout(ticking);
  const late = [...lateMs].sort((one, other) => one - other);
  const quantileUs = (share) => (late[Math.floor(share * (late.length - 1))] ?? 0) * 1e3;
  return {
    mode: process.env.NODE_ENV ?? null,
    eventLoopDelayUs: { p50: quantileUs(0.5), p99: quantileUs(0.99), max: quantileUs(1) },
    trueCostUs: knownCost()?.meanUs() ?? null,
  };
}

/** Notes how late this tick is. The next is due a fixed time after it. */
function tick() {
  const now = nowMs();
  lateMs.push(Math.max(0, now - dueAt));
  dueAt = now + TICK_EVERY_MS;
  ticking = setTimeout(tick, TICK_EVERY_MS).unref();
}

function nowMs() {
  const [seconds, ns] = hrtime();
  return seconds * 1e3 + ns / 1e6;
}

/** A server whose extra cost is known puts `{ reset(), meanUs() }` there: see docs/reference.md. */
function knownCost() {
  return globalThis[Symbol.for('tracetax.trueCost')];
}

/**
 * Samples what JavaScript does from now on. The inspector is loaded only now, so no server that is
 * measured has it.
 */
async function beginProfile() {
  const { Session } = require('node:inspector');
  profiler = new Session();
  profiler.connect();
  await post('Profiler.enable');
  await post('Profiler.setSamplingInterval', { interval: PROFILE_EVERY_US });
  await post('Profiler.start');
  return { intervalUs: PROFILE_EVERY_US };
}

/** Puts the profile beside the socket: it is too large for an answer. */
async function endProfile() {
  const { profile } = await post('Profiler.stop');
  profiler.disconnect();
  require('node:fs').writeFileSync(`${folder}/profile.json`, stringify(profile));
  return 'ended';
}

function post(method, parameters) {
  return new Promise((resolve, reject) => {
    profiler.post(method, parameters, (error, result) => (error ? reject(error) : resolve(result)));
  });
}
