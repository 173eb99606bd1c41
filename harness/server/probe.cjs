// Loaded into every server before its own code, by --preload (Bun) or --require (Node from 14.18 on; --import would change how
// it loads the server's own). Asked over a socket before and after a measurement, it tells what was used in between.
// Meanwhile a timer runs, and at no other time: a server without requests is to use what it needs itself. It is a guest: it throws nothing, and keeps no process alive.
//
// A Unix socket of its own, and no module under Bun: asked over the channel of Bun.spawn({ ipc }), and with the monitor of
// node:perf_hooks, it made each request of a server 1 to 3 % dearer (docs/notes.md).

const TICK_EVERY_MS = 20;
/** From one sample of a profile to the next. */
const PROFILE_EVERY_US = 500;
const QUESTIONS = { begin, end, 'profile begin': beginProfile, 'profile end': endProfile };
const isBun = process.versions.bun !== undefined;
const folder = process.env.TRACETAX_FOLDER;
// As they are before the server, or a test double in it, replaces them.
const { clearTimeout, setTimeout } = globalThis;
const { hrtime } = process;
const { stringify } = JSON;

/** By how much each tick was late. */
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

/** A server that names no address would be open to every network while it is measured: Bun's default is 0.0.0.0. */
function listenOnHost() {
  const { serve } = Bun;
  const get = (options, name) =>
    name === 'hostname'
      ? (options.hostname ?? (options.unix ? undefined : process.env.HOST))
      : options[name];
  // No copy: that would lack what the options have from their class.
  Bun.serve = (options) => serve(new Proxy(options, { get }));
}

/** Each connection brings one question, is given its answer in JSON, and closed. Without a free descriptor nobody answers. */
function listen(path) {
  const reply = (socket, question) =>
    answer(String(question))
      .then((text) => socket.end(text))
      .catch(ignore);
  if (isBun) return Bun.listen({ unix: path, socket: { data: reply, error: ignore } }).unref();
  const server = require('node:net').createServer((socket) => {
    socket.on('error', ignore);
    socket.once('data', (question) => reply(socket, question));
  });
  server.on('error', ignore);
  // Exclusive: a worker of a cluster would have its primary listen.
  server.listen({ path, exclusive: true }).unref();
}

function ignore() {}

/** What fails, such as a profiler that the runtime lacks, is told: the server goes on. */
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
  const at = (share) => (late[Math.floor(share * (late.length - 1))] ?? 0) * 1e3;
  return {
    mode: process.env.NODE_ENV ?? null,
    eventLoopDelayUs: { p50: at(0.5), p99: at(0.99), max: at(1) },
    trueCostUs: knownCost()?.meanUs() ?? null,
  };
}

/** Each tick is due so long after the one before. */
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

/** From now on samples what JavaScript does. Loaded only now: nothing of it is in a server that is measured. */
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
