import { type EventEmitter, once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import {
  checkAnswer,
  EndlessAnswer,
  type InterimRemedy,
  MistakenInterim,
  NoWholeAnswer,
  WrongAnswer,
} from '../exchange/check.ts';
import type { RequestAndAnswer } from '../exchange/request-schema.ts';
import { type KeepOutput, ScenarioProblem } from '../words/errors.ts';

const RETRY_EVERY_MS = 20;
/** A server that speaks another protocol shows it at once. */
const DETECT_PROTOCOL_WITHIN_MS = 1_000;
/**
 * What servers answer that don't understand the request, such as one by TLS to a request without.
 */
const BAD_REQUEST = 400;
const PROTOCOL_REMEDY =
  'Let it serve HTTP/1.1 without TLS: what is measured is the server, not what stands before it';

const ENDED_REMEDY =
  'Start it by hand (--dry-run prints its command), send it the request, and see why it ends';

/** A server that listens, and may not be ready. */
export interface ListeningServer {
  origin: string;
  child: {
    /** How it has ended; undefined while it runs. */
    readonly exitDescription: string | undefined;
    /** The end of what it printed. */
    readonly output: { lastLines(): string; keeper(): KeepOutput };
  };
  interimRemedy?: InterimRemedy | undefined;
}

/**
 * Asks for each exchange until its answer is as expected: a server may listen before it is ready.
 * Returns how often it asked.
 * @param deadlineMs on the clock of `performance.now()`
 * @throws ScenarioProblem what was wrong last, once the deadline is over; or why it will never
 * answer
 */
export async function waitForReadiness(
  scenario: string,
  server: ListeningServer,
  exchanges: readonly RequestAndAnswer[],
  deadlineMs: number,
): Promise<number> {
  let attempts = 0;
  for (const exchange of exchanges)
    attempts += await waitForAnswer(scenario, server, exchange, deadlineMs);
  return attempts;
}

async function waitForAnswer(
  scenario: string,
  server: ListeningServer,
  exchange: RequestAndAnswer,
  deadlineMs: number,
): Promise<number> {
  for (let attempts = 1; ; attempts++) {
    const problem = await problemOfAnswer(scenario, server, exchange);
    if (problem === undefined) return attempts;
    if (isFinal(problem)) throw problem;
    if (performance.now() >= deadlineMs) throw withLastWords(problem, server);
    const { exitDescription } = server.child;
    if (exitDescription !== undefined)
      throw neverReady(
        scenario,
        `it ended ${exitDescription}`,
        ENDED_REMEDY,
        server.child.output.keeper(),
      );
    // Another protocol shows at the first answer; later ones are those of a server that is not
    // ready.
    const protocol = attempts === 1 ? await detectProtocol(server.origin, problem) : undefined;
    if (protocol) throw neverReady(scenario, `it speaks ${protocol}`, PROTOCOL_REMEDY);
    await Bun.sleep(RETRY_EVERY_MS);
  }
}

/** Returns what is wrong with the answer; undefined if nothing is. */
async function problemOfAnswer(
  scenario: string,
  { origin, interimRemedy }: ListeningServer,
  exchange: RequestAndAnswer,
): Promise<ScenarioProblem | undefined> {
  try {
    await checkAnswer({ name: scenario }, origin, exchange, { interimRemedy });
    return undefined;
  } catch (error) {
    if (error instanceof ScenarioProblem) return error;
    throw error;
  }
}

/** Returns whether a server that answers like that is not one that is not ready yet. */
function isFinal(problem: ScenarioProblem): boolean {
  return problem instanceof EndlessAnswer || problem instanceof MistakenInterim;
}

/** A server's words may tell what it was asked, so they are for the terminal alone. */
function withLastWords(problem: ScenarioProblem, { child }: ListeningServer): ScenarioProblem {
  const { scenario, what, detail, remedy } = problem;
  const shown = `${problem.shown}; ${child.output.lastLines()}`;
  return new ScenarioProblem(scenario, what, detail, remedy, shown, child.output.keeper());
}

function neverReady(
  scenario: string,
  reason: string,
  remedy: string,
  keepOutput?: KeepOutput,
): ScenarioProblem {
  return new ScenarioProblem(scenario, 'did not answer', reason, remedy, '', keepOutput);
}

/**
 * Returns what a server speaks in place of HTTP/1.1; undefined if its answer is one, or if nothing
 * tells.
 */
async function detectProtocol(
  origin: string,
  problem: ScenarioProblem,
): Promise<'TLS' | 'HTTP/2' | undefined> {
  const isSilent = problem instanceof NoWholeAnswer;
  const isBadRequest = problem instanceof WrongAnswer && problem.status === BAD_REQUEST;
  if (!isSilent && !isBadRequest) return undefined;
  const { hostname: host, port } = new URL(origin);
  const tls = connectTls({ host, port: Number(port), rejectUnauthorized: false });
  if (await emitsWithin(tls, 'secureConnect', DETECT_PROTOCOL_WITHIN_MS)) return 'TLS';
  // One that answers may speak HTTP/2 beside HTTP/1.1.
  if (!isSilent) return undefined;
  const http2 = connectHttp2(origin);
  const isHttp2 = await emitsWithin(http2, 'remoteSettings', DETECT_PROTOCOL_WITHIN_MS);
  return isHttp2 ? 'HTTP/2' : undefined;
}

/** Whether a client emits the event in this time. It is destroyed afterwards. */
async function emitsWithin(
  client: EventEmitter & { destroy(): void },
  event: string,
  timeoutMs: number,
): Promise<boolean> {
  client.on('error', () => {});
  const emitted = once(client, event, { signal: AbortSignal.timeout(timeoutMs) });
  const isEmitted = await emitted.then(
    () => true,
    () => false,
  );
  client.destroy();
  return isEmitted;
}
