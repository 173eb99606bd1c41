import { copyFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Usage, usageSchema } from '../result/schema.ts';

const SCRIPT = resolve(import.meta.dir, 'probe.mjs');
/** Before it answers, what waits is exported. */
const ANSWER_WITHIN_MS = 15_000;

/**
 * Variables that load the probe into whatever a command starts, Bun or Node; the user's own options stay. Its script and
 * its socket are in the folder, whose path must have no space: $BUN_OPTIONS can't quote one.
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
  private readonly socket: string;

  constructor(folder: string, pid: number) {
    this.socket = join(folder, `${pid}.sock`);
  }

  /** Resolves when the probe counts anew, or when it is clear that there is none. */
  async begin(): Promise<void> {
    await this.ask('begin');
  }

  /** What happened since `begin`; null if the server has no probe, or has ended. */
  async end(): Promise<Usage | null> {
    return usageSchema.safeParse(await this.ask('end')).data ?? null;
  }

  private async ask(question: 'begin' | 'end'): Promise<unknown> {
    const socket = connect(this.socket);
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
