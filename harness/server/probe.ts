import { copyFileSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { ifThere } from '../machine/read.ts';
import { Problem } from '../problem.ts';
import { type Usage, usageSchema } from '../result/schema.ts';

const SCRIPT = resolve(import.meta.dir, 'probe.mjs');
/** It answers between two requests: a slow server may be in the middle of one. */
const ANSWER_WITHIN_MS = 15_000;

/**
 * Variables that load the probe into whatever a command starts, Bun or Node; the user's own options stay. Script and
 * socket are in the folder, whose path must have no space: $BUN_OPTIONS can't quote one.
 */
export function probeEnv(folder: string, own: Record<string, string | undefined>): Record<string, string> {
  const script = join(folder, 'probe.mjs');
  copyFileSync(SCRIPT, script);
  const joined = (options: string | undefined, more: string) => [options, more].filter(Boolean).join(' ');
  return {
    BUN_OPTIONS: joined(own.BUN_OPTIONS, `--preload=${script}`),
    NODE_OPTIONS: joined(own.NODE_OPTIONS, `--import=${script}`),
    TRACETAX_PROBE: folder,
  };
}

/** Asks the probe in a server process what happens between two moments. */
export class Probe {
  constructor(
    private readonly folder: string,
    private readonly pid: number,
  ) {}

  /** Resolves when the probe counts anew, or when it is clear that there is none. */
  async begin(): Promise<void> {
    await this.ask('begin');
  }

  /** What happened since `begin`; null if the server has no probe, or has ended. */
  async end(): Promise<Usage | null> {
    return usageSchema.safeParse(await this.ask('end')).data ?? null;
  }

  /** Begins to profile. Returns how often it samples, in µs. @throws Problem if the server's runtime can't. */
  async beginProfile(): Promise<number> {
    const { intervalUs, error } = (await this.ask('profile begin')) ?? { error: 'it has no probe' };
    if (intervalUs !== undefined) return intervalUs;
    throw new Problem(`The server can't be profiled: ${error}`, 'explain needs servers that run on Bun 1.4 or Node');
  }

  /** What was sampled since then, as `.cpuprofile` files have it; undefined if there is nothing. */
  async endProfile(): Promise<unknown> {
    await this.ask('profile end');
    return ifThere(() => JSON.parse(readFileSync(join(this.folder, 'profile.json'), 'utf8')));
  }

  /** Undefined if nothing answers. `error`: why it could not do what it was asked for. */
  private async ask(question: string): Promise<{ intervalUs?: number; error?: string } | undefined> {
    const socket = connect(join(this.folder, `${this.pid}.sock`));
    socket.setTimeout(ANSWER_WITHIN_MS, () => socket.destroy());
    try {
      socket.write(question);
      return JSON.parse(await text(socket));
    } catch {
      // No probe: not a Bun or Node process, or it has ended.
      return undefined;
    }
  }
}
