import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { watchFolder } from '../machine/watchdog.ts';
import { Problem } from '../problem.ts';
import { type TelemetryCounts, telemetryCountsSchema, type Usage, usageSchema } from '../result/schema.ts';

const SCRIPT = resolve(import.meta.dir, 'probe.mjs');
/** Before it answers, what waits is exported. */
const ANSWER_WITHIN_MS = 15_000;

/** Asks the probe in a server process what happens between two moments. */
export class Probe {
  private before: TelemetryCounts | null = null;
  private pid = 0;
  /** The probe's own copy of its script is here, and its socket. */
  private readonly folder = mkdtempSync(join(pathWithoutSpaces(), 'tracetax-probe-'));

  constructor() {
    watchFolder(this.folder);
  }

  /** Variables that load the probe into whatever the command starts, Bun or Node; the user's own options stay. */
  env(own: Record<string, string | undefined>): Record<string, string> {
    const script = join(this.folder, 'probe.mjs');
    copyFileSync(SCRIPT, script);
    const joined = (options: string | undefined, more: string) => [options, more].filter(Boolean).join(' ');
    return {
      BUN_OPTIONS: joined(own.BUN_OPTIONS, `--preload=${script}`),
      NODE_OPTIONS: joined(own.NODE_OPTIONS, `--import=${script}`),
      TRACETAX_PROBE: this.folder,
    };
  }

  /** From now on the process with this number is asked. */
  attach(pid: number): void {
    this.pid = pid;
  }

  /** Removes what the probe left on disk. */
  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Resolves when the probe counts anew, or when it is clear that there is none. */
  async begin(): Promise<void> {
    const began = z.object({ telemetry: telemetryCountsSchema.nullable() }).safeParse(await this.ask('begin'));
    this.before = began.data?.telemetry ?? null;
  }

  /** What happened since `begin`; null if the server has no probe, or has ended. */
  async end(): Promise<Usage | null> {
    const ended = usageSchema.safeParse(await this.ask('end'));
    if (!ended.success) return null;
    const { telemetry, ...used } = ended.data;
    return { ...used, telemetry: telemetry && this.before && difference(telemetry, this.before) };
  }

  /** Begins to profile. Returns how often it samples, in µs. @throws Problem if the server's runtime can't. */
  async beginProfile(): Promise<number> {
    const answer = z.object({ intervalUs: z.number() }).or(z.object({ error: z.string() }));
    const { data } = answer.safeParse(await this.ask('profile begin'));
    if (data && 'intervalUs' in data) return data.intervalUs;
    throw new Problem(
      `The server can't be profiled: ${data?.error ?? 'it has no probe'}`,
      'Explain servers on Bun 1.4 or Node, started directly',
    );
  }

  /** What was sampled since then, as `.cpuprofile` files have it. @throws Problem if there is nothing. */
  async endProfile(): Promise<string> {
    await this.ask('profile end');
    try {
      return readFileSync(join(this.folder, 'profile.json'), 'utf8');
    } catch {
      throw new Problem('The server gave no profile', 'Run it by hand under load, and see whether it lives on');
    }
  }

  private async ask(question: 'begin' | 'end' | 'profile begin' | 'profile end'): Promise<unknown> {
    const socket = connect(`${this.folder}/${this.pid}.sock`);
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

/** $BUN_OPTIONS can't quote a space, so the script must not lie below a folder that has one. */
function pathWithoutSpaces(): string {
  return /\s/.test(tmpdir()) ? '/tmp' : tmpdir();
}

function difference(after: TelemetryCounts, before: TelemetryCounts): TelemetryCounts {
  return {
    spansStarted: after.spansStarted - before.spansStarted,
    spansExported: after.spansExported - before.spansExported,
    spansDropped: after.spansDropped - before.spansDropped,
    requestsMeasured: after.requestsMeasured - before.requestsMeasured,
  };
}
