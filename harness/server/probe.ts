import { copyFileSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { membersOf } from '../processes/processes.ts';
import { usageSchema } from '../result/pair-schema.ts';
import type { Usage } from '../result/schema.ts';
import { orUndefined, Problem } from '../words/errors.ts';

const SCRIPT = resolve(import.meta.dir, 'probe.cjs');
/** The probe answers between two requests: a slow server may be in the middle of one. */
const PROBE_ANSWERS_WITHIN_MS = 15_000;
const PROFILE_REMEDY =
  'explain needs Bun 1.4 or Node; if bunfig.toml has a preload, write "bun", not "bun", "run"';

/** What a probe answers to each question (probe.cjs), if it can do what it is asked. */
interface ProbeAnswers {
  /** To count anew from now on. */
  begin: 'begun';
  /** What happened since then; it is checked before it is believed. */
  end: unknown;
  'profile begin': ProfileBegun;
  /** The profile is then in a file beside the socket. */
  'profile end': 'ended';
}

interface ProfileBegun {
  /** From one sample to the next. */
  intervalUs: number;
}

/** Why a probe could not do what it was asked. */
interface ProbeFailure {
  error: string;
}

/**
 * What the process says, undefined if nothing in it answers: it is no Bun or Node process, or has
 * ended.
 */
type ProbeAnswer<Question extends keyof ProbeAnswers> =
  | ProbeAnswers[Question]
  | ProbeFailure
  | undefined;

/** What was seen of a server between two moments. */
type ProbeUsage = NonNullable<Usage['probe']>;

/**
 * Returns variables that load the probe into whatever a command starts, Bun or Node; the user's own
 * options stay.
 */
export function probeEnv(
  folder: string,
  ownEnv: Record<string, string | undefined>,
): Record<string, string> {
  // A path without a space: $BUN_OPTIONS can't quote one.
  const script = join(folder, 'probe.cjs');
  copyFileSync(SCRIPT, script);
  return {
    BUN_OPTIONS: joinOptions(ownEnv.BUN_OPTIONS, `--preload=${script}`),
    NODE_OPTIONS: joinOptions(ownEnv.NODE_OPTIONS, `--require=${script}`),
  };
}

function joinOptions(options: string | undefined, more: string): string {
  return options ? `${options} ${more}` : more;
}

/** Asks the probes in the processes of a server what happens between two moments. */
export class Probe {
  constructor(
    /** The folder of the server, which has the probes' sockets. */
    private readonly folder: string,
    /** The process that was started. */
    private readonly serverPid: number,
    /** The process of the server that holds the port. */
    private readonly listenerPid: number,
  ) {}

  /** Resolves when all probes count anew, or when it is clear that there is none. */
  async begin(): Promise<void> {
    await this.askAll('begin');
  }

  /**
   * Returns what happened since `begin`; null if the process that listens has no probe: another may
   * only wait for it.
   */
  async end(): Promise<ProbeUsage | null> {
    const answers = await this.askAll('end');
    if (!answers.some(({ pid, answer }) => pid === this.listenerPid && answer)) return null;
    return combineUsages(answers.flatMap(({ answer }) => parseUsage(answer) ?? []));
  }

  /**
   * Begins to profile one process. Returns how often it samples, in µs.
   * @throws Problem if the server's runtime can't.
   */
  async beginProfile(pid: number): Promise<number> {
    const answer = (await this.ask(pid, 'profile begin')) ?? { error: 'it has no probe' };
    if ('intervalUs' in answer) return answer.intervalUs;
    throw new Problem(`The server can't be profiled: ${answer.error}`, PROFILE_REMEDY);
  }

  /**
   * Returns what was sampled since then, as `.cpuprofile` files have it; undefined if there is
   * nothing.
   */
  async endProfile(pid: number): Promise<unknown> {
    await this.ask(pid, 'profile end');
    return orUndefined(() => JSON.parse(readFileSync(join(this.folder, 'profile.json'), 'utf8')));
  }

  /** Returns the answers of all processes of the server. */
  private askAll<Question extends keyof ProbeAnswers>(
    question: Question,
  ): Promise<{ pid: number; answer: ProbeAnswer<Question> }[]> {
    const asked = membersOf(this.serverPid).map(async ({ pid }) => ({
      pid,
      answer: await this.ask(pid, question),
    }));
    return Promise.all(asked);
  }

  private async ask<Question extends keyof ProbeAnswers>(
    pid: number,
    question: Question,
  ): Promise<ProbeAnswer<Question>> {
    const socket = connect(join(this.folder, `${pid}.sock`));
    socket.setTimeout(PROBE_ANSWERS_WITHIN_MS, () => socket.destroy());
    socket.write(question);
    return text(socket)
      .then(JSON.parse)
      .catch(() => undefined);
  }
}

/** Returns what a probe saw; undefined if it is not what a result may keep. */
function parseUsage(answer: unknown): ProbeUsage | undefined {
  return usageSchema.shape.probe.safeParse(answer).data ?? undefined;
}

/**
 * Returns the usage of a server by that of its processes: the longest delays, and any mode but
 * production.
 */
function combineUsages(usages: readonly ProbeUsage[]): ProbeUsage | null {
  const [latest] = usages.toSorted(
    (one, other) => other.eventLoopDelayUs.p99 - one.eventLoopDelayUs.p99,
  );
  if (!latest) return null;
  const inDevelopment = usages.find(({ mode }) => mode !== 'production');
  const withTrueCost = usages.find(({ trueCostUs }) => trueCostUs !== null);
  return {
    mode: (inDevelopment ?? latest).mode,
    eventLoopDelayUs: latest.eventLoopDelayUs,
    trueCostUs: withTrueCost?.trueCostUs ?? null,
  };
}
