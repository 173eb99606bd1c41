// The world of a proof without processes: a server that answers at once, its tracer, and a clock
// that a sleep moves on.
import { withAddresses } from '../plan/planned-server.ts';
import type { ObservedServer, ProofWorld } from '../proof/observe.ts';
import type { StartRequest } from '../server/server.ts';

/** What a fake server can use: its variables, and a way to send. */
export interface FakeTracer {
  /** With the sink's address where the suite has `{sink}`. */
  env: Record<string, string>;
  /** Sends a body of JSON. */
  send(url: string, body: unknown): Promise<void>;
  /** Sends spans of these names by OTLP, each a trace of its own. */
  sendSpans(...names: string[]): Promise<void>;
}

/** What a fake server does. It starts at once, and each of its answers is right. */
export interface FakeBehaviour {
  /** Happens before it answers a request. */
  onRequest?: (tracer: FakeTracer) => Promise<void>;
  /** Happens whenever the world sleeps, once the time has passed. */
  onSleep?: (tracer: FakeTracer, nowMs: number) => Promise<void>;
  /** Happens on SIGTERM. */
  onEnd?: (tracer: FakeTracer) => Promise<void>;
  /** How often it is asked in vain before it is ready. */
  failedAttempts?: number;
  /** Its process has ended before anything was waited for. */
  hasEnded?: boolean;
  /** It does not end on SIGTERM. */
  isKilled?: boolean;
  output?: string;
}

/** A world without processes, whose clock stands still unless somebody sleeps. */
export interface FakeProofWorld {
  world: ProofWorld;
  /** How long somebody slept, in ms. */
  sleptMs(): number;
  /** How often the server was asked. */
  requests(): number;
  /** What the server was started with. */
  started(): StartRequest | undefined;
}

/** Returns a world in which every server behaves like that. What it sends goes to a real sink. */
export function fakeProofWorld(behaviour: FakeBehaviour): FakeProofWorld {
  let nowMs = 0;
  let requests = 0;
  let started: StartRequest | undefined;
  let tracer: FakeTracer | undefined;
  let signal: string | null = null;

  async function answer(): Promise<string> {
    requests++;
    if (tracer) await behaviour.onRequest?.(tracer);
    return '';
  }

  async function startServer(request: StartRequest): Promise<ObservedServer> {
    started = request;
    tracer = fakeTracer(request);
    const failedAttempts = behaviour.failedAttempts ?? 0;
    const attempts = failedAttempts + request.exchanges.length;
    for (let attempt = 0; attempt < attempts; attempt++) await answer();
    return { origin: 'http://fake', attempts, child: fakeChild() };
  }

  function fakeChild(): ObservedServer['child'] {
    const stop = async () => {
      if (tracer && signal === null) await behaviour.onEnd?.(tracer);
      signal = behaviour.isKilled ? 'SIGKILL' : 'SIGTERM';
    };
    return {
      pid: 1,
      get exit() {
        const hasExit = signal !== null || behaviour.hasEnded;
        return hasExit ? { signal } : undefined;
      },
      output: { lastLines: () => `it said: ${behaviour.output ?? 'nothing'}` },
      stop,
      [Symbol.asyncDispose]: stop,
    };
  }

  async function sleep(ms: number): Promise<void> {
    nowMs += ms;
    if (tracer) await behaviour.onSleep?.(tracer, nowMs);
  }

  return {
    world: {
      startServer,
      checkAnswer: answer,
      countProcesses: () => 1,
      sleep,
      nowMs: () => nowMs,
    },
    sleptMs: () => nowMs,
    requests: () => requests,
    started: () => started,
  };
}

function fakeTracer({ planned, sinkAddress = '' }: StartRequest): FakeTracer {
  const { env } = withAddresses(planned, { sink: sinkAddress, host: '', port: '' });
  async function send(url: string, body: unknown): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  }
  async function sendSpans(...names: string[]): Promise<void> {
    const spans = names.map((name) => ({ spanId: crypto.randomUUID(), name, kind: 2 }));
    const url = `${env.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`;
    await send(url, { resourceSpans: [{ scopeSpans: [{ spans }] }] });
  }
  return { env, send, sendSpans };
}
