import type { Fault } from './schema.ts';

/** A fault of a pair, or of a run, as a whole; `scenario`: the server that it is about, if it is about one. */
export function faultOf(what: string, detail = '', scenario: string | null = null, count = 1): Fault {
  return { what, detail, scenario, slice: null, count };
}
