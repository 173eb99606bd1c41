import { REQUESTS_PER_CLOSE } from '../../pair/closed-connections.ts';
import type { FaultKind } from '../../result/faults.ts';
import { asCount } from '../../words/units.ts';
import { type ClosedConnections, closedConnectionsIn } from '../closed-connections.ts';
import type { MeasuredRun, Row } from '../rows.ts';
import { type Finding, finding } from './finding.ts';

const REMEDY =
  'Let the server answer each request, or announce the close ("Connection: close"). Load tools ' +
  'send such a request again without a word, but for wrk: --tool wrk counts it as an error';
/** Faults of a server that does not lose connections otherwise. */
const OTHER_CAUSES: (FaultKind | 'other')[] = ['server-ended', 'process-ended', 'limit-reached'];

/** Servers that closed connections under load without a word: requests on them had no answer. */
export function findLostRequests({ tasks }: MeasuredRun): Finding[] {
  return tasks.flatMap((task) =>
    closedConnectionsIn(task)
      .filter(({ row }) => !hasOtherCause(row))
      .flatMap((closed) => lostRequests(closed) ?? []),
  );
}

function hasOtherCause(row: Row | null): boolean {
  return row?.faults.some(({ kind }) => OTHER_CAUSES.includes(kind)) ?? false;
}

function lostRequests({
  server,
  row,
  requests,
  closed,
  announced,
  wasAskedEnough,
}: ClosedConnections): Finding | null {
  const lost = closed - (announced ?? 0);
  if (lost * REQUESTS_PER_CLOSE <= requests) return null;
  const hasFigures = row === null || row.faults.length === 0;
  const meaning = hasFigures ? 'figures hide requests without an answer: ' : '';
  const seen = `${asCount(lost)} of ${asCount(requests)} requests found their connection closed`;
  return finding(
    `${server.label}: ${meaning}${seen}, ${wordOnAnnouncing(announced, wasAskedEnough)}`,
    REMEDY,
    row ?? undefined,
  );
}

function wordOnAnnouncing(announced: number | null, wasAskedEnough: boolean): string {
  if (announced !== null) return 'which the server had not announced';
  return wasAskedEnough
    ? 'under load alone, and nobody saw the server announce it'
    : 'and nobody knows whether the server had announced it';
}
