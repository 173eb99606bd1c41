import { expect, test } from 'bun:test';
import { described } from './description.ts';
import type { Arrived } from './discrepancies.ts';

const span = { traceId: 't', spanId: '1', parentSpanId: undefined, name: 'GET', kind: 'SERVER' as const };

/** What arrived of two requests to one process. */
const seen = (spans: number, logs: Arrived['logs']): Arrived => ({
  spans: Array.from({ length: spans }, (_, at) => ({ ...span, spanId: String(at), attributes: {} })),
  ...{ points: [], logs, fault: null, processes: 1, byHttp: [] },
});
const logsOf = (...given: Parameters<typeof seen>) => described([seen(...given)], 2).logs;

test('of a traced request, log records without a trace are not claimed: a proof would not count them', () => {
  expect(logsOf(2, { traced: 2, others: 2 })).toEqual({ perRequest: 1 });
  expect(logsOf(2, { traced: 0, others: 2 })).toBeUndefined();
  expect(logsOf(0, { traced: 0, others: 2 })).toEqual({ perRequest: 1 });
});
