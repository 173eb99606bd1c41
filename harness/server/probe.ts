import { copyFileSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { membersOf } from '../processes/processes.ts';
import { usageSchema } from '../result/pair-schema.ts';
import type { Usage } from '../result/schema.ts';
import { orUndefined, Problem } from '../words/errors.ts';

const SCRIPT = resolve(import.meta.dir, 'probe.cjs');
/** It answers between two requests: a slow server may be in the middle of one. */
const ANSWER_WITHIN_MS = 15_000;

/** Variables that load the probe into whatever a command starts, Bun or Node; the user's own options stay. */
export function probeEnv(
  folder: string,
  own: Record<string, string | undefined>,
): Record<string, string> {
  // A path without a space: $BUN_OPTIONS can't quote one.
  const script = join(folder, 'probe.cjs');
  copyFileSync(SCRIPT, script);
  const joined = (options: string | undefined, more: string) =>
    [options, more].filter(Boolean).join(' ');
  return {
    BUN_OPTIONS: joined(own.BUN_OPTIONS, `--preload=${script}`),
    NODE_OPTIONS: joined(own.NODE_OPTIONS, `--require=${script}`),
  };
}

/** Asks the probes in the processes of a server what happens between two moments. */
export class Probe {
  constructor(
    private readonly folder: string,
    private readonly server: number,
    /** The process of the server that holds the port. */
    private readonly listener: number,
  ) {}

  /** Resolves when all probes count anew, or when it is clear that there is none. */
  async begin(): Promise<void> {
    await this.askAll('begin');
  }

  /** What happened since `begin`; null if the process that listens has no probe: another may only wait for it. */
  async end(): Promise<Usage['probe']> {
    const answers = await this.askAll('end');
    const hasProbe = answers.some(({ pid, answer }) => pid === this.listener && answer);
    const told = answers.flatMap(
      ({ answer }) => (hasProbe && usageSchema.shape.probe.safeParse(answer).data) || [],
    );
    const [latest] = told.toSorted(
      (one, other) => other.eventLoopDelayUs.p99 - one.eventLoopDelayUs.p99,
    );
    if (!latest) return null;
    return {
      mode: (told.find(({ mode }) => mode !== 'production') ?? latest).mode,
      eventLoopDelayUs: latest.eventLoopDelayUs,
      trueCostUs: told.find(({ trueCostUs }) => trueCostUs !== null)?.trueCostUs ?? null,
    };
  }

  /** Begins to profile one process. Returns how often it samples, in µs. @throws Problem if the server's runtime can't. */
  async beginProfile(pid: number): Promise<number> {
    const { intervalUs, error } = (await this.ask(pid, 'profile begin')) ?? {
      error: 'it has no probe',
    };
    if (intervalUs !== undefined) return intervalUs;
    const remedy =
      'explain needs Bun 1.4 or Node; if bunfig.toml has a preload, write "bun", not "bun", "run"';
    throw new Problem(`The server can't be profiled: ${error}`, remedy);
  }

  /** What was sampled since then, as `.cpuprofile` files have it; undefined if there is nothing. */
  async endProfile(pid: number): Promise<unknown> {
    await this.ask(pid, 'profile end');
    return orUndefined(() => JSON.parse(readFileSync(join(this.folder, 'profile.json'), 'utf8')));
  }

  private askAll(question: string) {
    const asked = membersOf(this.server).map(async ({ pid }) => ({
      pid,
      answer: await this.ask(pid, question),
    }));
    return Promise.all(asked);
  }

  /** Undefined if nothing answers: no Bun or Node process, or it has ended. `error`: why it could not do it. */
  private async ask(
    pid: number,
    question: string,
  ): Promise<{ intervalUs?: number; error?: string } | undefined> {
    const socket = connect(join(this.folder, `${pid}.sock`));
    socket.setTimeout(ANSWER_WITHIN_MS, () => socket.destroy());
    socket.write(question);
    return text(socket)
      .then(JSON.parse)
      .catch(() => undefined);
  }
}
