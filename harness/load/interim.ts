import type { InterimRemedy } from '../exchange/check.ts';
import { INVOKED_AS } from '../words/output.ts';
import { TOOLS } from './list.ts';
import type { LoadTool } from './tool.ts';

/**
 * Returns what to do about interim answers under the load of this tool: to use one of those that
 * wait for the answer that follows.
 */
export function interimRemedyOf({ mistakesInterim }: LoadTool): InterimRemedy {
  return (status) => (mistakesInterim?.(status) ? remedyFor(status) : undefined);
}

function remedyFor(status: number): string {
  const able = TOOLS.filter((tool) => !tool.mistakesInterim?.(status));
  const names = able.map(({ name }) => name).join(' or ');
  return (
    `Use --tool ${names}, which wait for the answer that follows (${INVOKED_AS} setup installs ` +
    'vegeta), or let the server send no interim answers'
  );
}
