// How the servers of a fake world behave.
import type { LoadError } from '../load/load-result.ts';
import type { ContainerUse } from '../result/schema.ts';

/**
 * What the servers of a fake world answer to a load, and how they misbehave, by name of the server.
 */
export interface Behaviour {
  /** How many answers it gives a second. */
  rates?: Record<string, number>;
  errors?: Record<string, FakeError[]>;
  /**
   * The loads on a server that have these errors, of its first from 1 on; all of them if not given.
   */
  errorsIn?: (load: number) => boolean;
  /** Those that don't start. */
  missing?: string[];
  /** Those whose process ends under load. */
  ending?: string[];
  /** From the check of this number on, counted for each server, the answer is wrong. */
  wrongFrom?: Record<string, number>;
  /**
   * CPU time of a request in µs, of a server that was started as the n-th of its name, from 1 on.
   */
  costsUs?: (name: string, start: number) => number;
  /** Those whose process ends while it rests after its load of this number. */
  endingAfter?: Record<string, number>;
  /** CPU time that a server still takes once it has started. */
  startingMs?: Record<string, number>;
  /** Those whose load tool fails, each time. */
  failingTools?: string[];
  /** CPU time that a server still takes once a load on it has ended. */
  lingeringMs?: Record<string, number>;
  /** The part of a core that a server takes without requests, too. */
  idleShares?: Record<string, number>;
  /** What a look at all processes takes. */
  lookMs?: number;
  /** Whether a clock tells the CPU time of servers. */
  hasClock?: boolean;
  /**
   * Whether cores can be watched: the servers' does nothing else, and the load tool's work while
   * something sleeps.
   */
  hasCores?: boolean;
  /** How many spans arrive at each sink. */
  spans?: number;
  /** How far all came to the limits of their container; without limits if it is not given. */
  container?: ContainerUse;
  /** Those of which the kernel kills a process under load, for lack of memory. */
  outOfMemory?: string[];
  /** How many requests of a load find their connection closed, of each thousand. */
  closes?: Record<string, number>;
  /** Whether the load tool opens more connections than it needs, so that they are not counted. */
  opensMore?: boolean;
  /** For how long closed connections keep more than half of all ports. */
  keepsPortsForMs?: number;
  /** Whether a server resets connections, which leaves no trace. */
  resets?: boolean;
  /** `NODE_ENV` as the probe of each server sees it; without a probe if it is not given. */
  modes?: Record<string, string | null>;
}

/** Without a limit it is the server's. */
type FakeError = Pick<LoadError, 'detail' | 'count'> & Partial<LoadError>;
