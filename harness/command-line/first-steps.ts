import { existsSync } from 'node:fs';
import { INVOKED_AS } from '../words/output.ts';

/** The suite that `init` writes, and that is taken if none is named. */
export const FIRST_SUITE = 'bench/suite.json';

/**
 * Returns what to do next, one line each, in a folder that has no suite yet; undefined if the suite
 * of a call is there, or is another one.
 */
export function firstSteps(suite: string): string[] | undefined {
  if (suite !== FIRST_SUITE || existsSync(suite)) return undefined;
  return [
    `There is no suite here (${FIRST_SUITE}), so tracetax doesn't know your server. Next:`,
    `  ${INVOKED_AS} init      writes ${FIRST_SUITE}: fill in what says FILL IN`,
    `  ${INVOKED_AS} setup     installs load tools, if there are none`,
    `  ${INVOKED_AS} --quick   prints a first table, in a few minutes`,
  ];
}
