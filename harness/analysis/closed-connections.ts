import { sum } from 'simple-statistics';
import { REQUESTS_PER_CLOSE, type Reopened, reopenedIn } from '../pair/closed-connections.ts';
import type { Connections, Pair, Side } from '../result/schema.ts';
import type { Baseline, Row, TaskAnalysis } from './rows.ts';

/** Fewer than this may be chance. */
const MIN_CLOSED = 5;
/** As many closes are no chance if the server was alone with the requests. */
const MIN_SEEN = 2;
/** Counts that differ by more than this factor are not of the same connections. */
const SAME_COUNT_FACTOR = 2;

/** What a server did to the connections of its load. */
export interface ClosedConnections {
  /** The server's title, and the row that a remark is about. */
  server: Baseline;
  /** Null for a baseline that has no pairs against itself. */
  row: Row | null;
  requests: number;
  /** How many of these requests found their connection closed. */
  closed: number;
  /** How many of those the server had announced; null if nobody saw it close a connection. */
  announced: number | null;
  /** After how many requests it closes a connection as announced; null if it was not seen to. */
  requestsPerAnnounced: number | null;
  /** Whether it was asked so often without the load that it would have closed some. */
  wasAskedEnough: boolean;
}

/**
 * Returns the servers of a task that closed connections under load: more than one in 1,000
 * requests.
 */
export function closedConnectionsIn(task: TaskAnalysis): ClosedConnections[] {
  const { baseline, rows, noiseFloor, connections } = task;
  const pairsOfBaseline = rows.flatMap(({ pairs }) => pairs);
  const ofBaseline = [
    ...pairsOfBaseline.map((pair) => evidenceOf(pair, 'baseline', connections)),
    ...(noiseFloor?.pairs ?? []).flatMap((pair) => [
      evidenceOf(pair, 'baseline', connections),
      evidenceOf(pair, 'scenario', connections),
    ]),
  ];
  const servers = [
    { server: baseline, row: noiseFloor, evidence: ofBaseline },
    ...rows.map((row) => ({
      server: row,
      row,
      evidence: row.pairs.map((pair) => evidenceOf(pair, 'scenario', connections)),
    })),
  ];
  return servers.flatMap(({ server, row, evidence }) => {
    const concluded = conclude(evidence, task.rate !== null);
    return concluded ? [{ server, row, ...concluded }] : [];
  });
}

/** What a pair tells of one server. */
type Evidence = Reopened & Partial<Connections>;

function evidenceOf(pair: Pair, side: Side, loadConnections: number): Evidence {
  const reopened = reopenedIn(pair.alternating, side, loadConnections);
  return { ...reopened, ...pair.connections?.[side] };
}

/**
 * Returns what the pairs tell together; null if too few connections were closed. Connections that
 * were opened may be those of others on the machine, so they count only if the server was seen to
 * close some. At a steady rate a server also closes connections that were idle for long, and no
 * request is lost.
 */
function conclude(
  evidence: readonly Evidence[],
  isPaced: boolean,
): Omit<ClosedConnections, 'server' | 'row'> | null {
  const loaded = sum(evidence.map((each) => each.requests));
  const asked = sum(evidence.map(({ kept }) => kept?.asked ?? 0));
  const announced = sum(evidence.map(({ kept }) => kept?.announced ?? 0));
  const seen = announced + sum(evidence.map(({ kept }) => kept?.unannounced ?? 0));
  const traces = sum(evidence.map(({ closed }) => closed ?? 0));
  const opened = sum(evidence.map(({ connections }) => connections ?? 0));
  // Of pairs that failed before their slices, no more is known.
  const requests = loaded > 0 ? loaded : asked;
  const closed = closedCount({ requests, asked, seen, traces, opened });
  const isChance = closed < MIN_CLOSED && seen < MIN_SEEN;
  const isMuch = closed * REQUESTS_PER_CLOSE > requests;
  if (isChance || !isMuch || (isPaced && seen === 0)) return null;
  return {
    requests,
    closed,
    announced: seen > 0 ? Math.round((announced / seen) * closed) : null,
    requestsPerAnnounced: announced > 0 ? Math.round(asked / announced) : null,
    wasAskedEnough: asked * closed > requests,
  };
}

/** Sums of what was seen in all pairs. */
interface Sums {
  requests: number;
  /** Requests on connections that were kept, and how many of these connections were closed. */
  asked: number;
  seen: number;
  /** Connections that the kernel remembers as closed by the server first. */
  traces: number;
  opened: number;
}

/**
 * Traces are of this server alone, but resets leave none, and the kernel keeps only so many. Opened
 * connections are all of them, and those of others on the machine. What the server did when it was
 * asked tells which of the two to believe, and stands in for both.
 */
function closedCount({ requests, asked, seen, traces, opened }: Sums): number {
  if (seen === 0) return traces;
  const expected = (seen / asked) * requests;
  if (traces * SAME_COUNT_FACTOR >= expected) return traces;
  const isOfServer = opened <= expected * SAME_COUNT_FACTOR;
  const isWhole = opened * SAME_COUNT_FACTOR >= expected;
  return Math.min(requests, isOfServer && isWhole ? opened : Math.round(expected));
}
