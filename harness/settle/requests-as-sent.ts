import { differenceIn, recordRequest, withAddedHeaders } from '../exchange/record-request.ts';
import type { Request } from '../exchange/request-schema.ts';
import { type FoundTool, toolFor } from '../load/find.ts';
import { runLoad } from '../load/run-load.ts';
import type { Pinning } from '../machine/pinning.ts';
import { isPaced } from '../result/steady-rate.ts';
import { sentIn } from '../suite/select.ts';
import type { Exchange, Suite, SuiteTask } from '../suite/suite.ts';
import { Problem } from '../words/errors.ts';
import type { Setting } from './setting.ts';

/**
 * Returns the suite with its requests as the load tool sends them: what is checked, and proven, is
 * then what is measured.
 * @throws Problem if the tool sends something else
 */
export async function withRequestsAsSent(
  suite: Suite,
  { tool, listen, pinning }: Pick<Setting, 'tool' | 'listen' | 'pinning'>,
): Promise<Suite> {
  const sendings = suite.tasks.flatMap((task) =>
    sentIn(task).map(({ request }) => ({ found: toolOf(task, tool), request })),
  );
  // Tasks may share a request, which each tool sends once.
  const distinct = new Map(sendings.map((sending) => [keyOf(sending), sending]));
  const recordings = [...distinct].map(async ([key, { found, request }]) => {
    return [key, await asSent(found, request, listen, pinning)] as const;
  });
  const sentRequests = new Map(await Promise.all(recordings));
  const tasks = suite.tasks.map((task) => {
    const asRecorded = (exchange: Exchange): Exchange => {
      const key = keyOf({ found: toolOf(task, tool), request: exchange.request });
      return { ...exchange, request: sentRequests.get(key) ?? exchange.request };
    };
    return {
      ...task,
      exchanges: task.exchanges.map(asRecorded),
      warmUp: task.warmUp.map(asRecorded),
    };
  });
  return { ...suite, tasks };
}

/** A request, and the tool that sends it. */
interface Sending {
  found: FoundTool;
  request: Request;
}

function toolOf(task: SuiteTask, tool: FoundTool): FoundTool {
  return toolFor(tool, { isPaced: isPaced(task) });
}

function keyOf({ found, request }: Sending): string {
  return JSON.stringify([found.tool.name, request]);
}

/** On a busy machine, a load tool may need more than a second for its first request. */
const LONGER_SECONDS = 5;

/**
 * Lets the load tool send the request for a second, or for longer if nothing comes. Returns the
 * request with the headers that the tool adds to it.
 * @throws Problem if the tool makes no load here, or sends another path or body: some decode `%2F`
 */
export async function asSent(
  found: FoundTool,
  request: Request,
  listen: string,
  pinning?: Pinning,
): Promise<Request> {
  const recordFor = (durationSeconds: number) =>
    recordRequest(listen, (origin) => {
      const requests = [{ ...request, weight: 1 }];
      return runLoad(found, { origin, requests, connections: 1, durationSeconds }, pinning);
    });
  const first = await recordFor(1);
  const isSilent = first.sent.requests === 0 && first.sent.errors.length === 0;
  const { sent, recorded } = isSilent ? await recordFor(LONGER_SECONDS) : first;
  const [error] = sent.errors;
  // A large file may take its time.
  const mayBeSlow = error === undefined && request.bodyFile !== undefined;
  if (sent.requests === 0 && !mayBeSlow) {
    const what = `No load came of ${found.tool.name}: ${error?.detail ?? 'it saw no answer'}`;
    throw new Problem(what, 'Choose another with --tool, or run by hand what --dry-run prints');
  }
  // The first pair then says why nothing arrived.
  if (recorded === undefined) return request;
  const difference = differenceIn(request, recorded);
  if (difference === undefined) return withAddedHeaders(request, recorded);
  const remedy = 'Write it as the load tool sends it, or choose another tool with --tool';
  throw new Problem(`${found.tool.name} sends ${difference}`, remedy);
}
