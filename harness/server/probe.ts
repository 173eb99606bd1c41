import { connect } from 'node:net';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const SCRIPT = resolve(import.meta.dir, 'probe.mjs');
/** Before it answers, what waits is exported. */
const ANSWER_WITHIN_MS = 15_000;

const countsSchema = z.object({
  spansStarted: z.number(),
  spansExported: z.number(),
  spansDropped: z.number(),
  requestsMeasured: z.number(),
});
const meanAndMax = z.object({ mean: z.number(), max: z.number() });

/** What a server process used and did between two moments. */
export const usageSchema = z.object({
  pid: z.int(),
  runtime: z.object({
    name: z.string(),
    version: z.string(),
    isDebugBuild: z.boolean(),
    /** `NODE_ENV` as the server sees it. */
    mode: z.string().nullable(),
  }),
  cpuUserUs: z.number(),
  cpuSystemUs: z.number(),
  /** Of samples 100 ms apart. */
  rssBytes: meanAndMax,
  heapBytes: meanAndMax,
  /** How late timers 20 ms apart were. */
  eventLoopDelayUs: z.object({ p50: z.number(), p99: z.number(), max: z.number() }),
  /** Where the runtime tells: Node does, Bun does not. */
  garbageCollections: z.object({ count: z.number(), ms: z.number() }).optional(),
  /** By the instrumentation's own count; null where it has none. */
  telemetry: countsSchema.nullable(),
});

export type Usage = z.output<typeof usageSchema>;
export type TelemetryCounts = z.output<typeof countsSchema>;

/** Variables that load the probe into whatever the command starts, Bun or Node; the user's own options stay. */
export function probeEnv(env: Record<string, string | undefined>, folder: string): Record<string, string> {
  const joined = (own: string | undefined, option: string) => [own, option].filter(Boolean).join(' ');
  return {
    BUN_OPTIONS: joined(env.BUN_OPTIONS, `--preload=${SCRIPT}`),
    NODE_OPTIONS: joined(env.NODE_OPTIONS, `--import=${SCRIPT}`),
    TRACETAX_PROBE: folder,
  };
}

/** Asks the probe in a server process what happens between two moments. */
export class Probe {
  private before: TelemetryCounts | null = null;
  private readonly path: string;

  /** `folder` is where the probe of that process has its socket. */
  constructor(folder: string, pid: number) {
    this.path = `${folder}/${pid}.sock`;
  }

  /** Resolves when the probe counts anew, or when it is clear that there is none. */
  async begin(): Promise<void> {
    const began = z.object({ telemetry: countsSchema.nullable() }).safeParse(await this.ask('begin'));
    this.before = began.data?.telemetry ?? null;
  }

  /** What happened since `begin`; null where the server has no probe, or has ended. */
  async end(): Promise<Usage | null> {
    const ended = usageSchema.safeParse(await this.ask('end'));
    if (!ended.success) return null;
    const { telemetry, ...used } = ended.data;
    return { ...used, telemetry: telemetry && this.before && difference(telemetry, this.before) };
  }

  private async ask(question: 'begin' | 'end'): Promise<unknown> {
    const socket = connect(this.path);
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

function difference(after: TelemetryCounts, before: TelemetryCounts): TelemetryCounts {
  return {
    spansStarted: after.spansStarted - before.spansStarted,
    spansExported: after.spansExported - before.spansExported,
    spansDropped: after.spansDropped - before.spansDropped,
    requestsMeasured: after.requestsMeasured - before.requestsMeasured,
  };
}
