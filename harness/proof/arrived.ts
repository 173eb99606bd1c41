import type { ReceivedPoint, ReceivedSpan } from '../sink/protocols/protocol.ts';

/** What arrived of a server. */
export interface Arrived {
  spans: ReceivedSpan[];
  points: ReceivedPoint[];
  /** For each log record, whether it has a trace. */
  logs: boolean[];
  /** The number of profiles. */
  profiles: number;
  /** Why something could not be read; null if all could. */
  fault: string | null;
  /** The number of the server's processes. Each may record its own start. */
  processes: number;
}
