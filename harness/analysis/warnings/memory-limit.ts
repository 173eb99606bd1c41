import type { ContainerUse } from '../../result/schema.ts';
import { asMemory } from '../../words/units.ts';
import { type MeasuredRun, rowsWithNoiseFloor } from '../rows.ts';
import { type Finding, finding } from './finding.ts';

/** With more of it taken, the kernel takes files away, and runtimes collect garbage more often. */
const NEAR = 0.9;

type LimitedMemory = NonNullable<ContainerUse['memory']>;

/** Servers that, with the load tool and tracetax, come near to what their container may use. */
export function findMemoryLimit({ tasks }: MeasuredRun): Finding[] {
  const pairs = tasks.flatMap(rowsWithNoiseFloor).flatMap((row) => row.pairs);
  const uses = pairs.flatMap(({ container }) => container?.memory ?? []);
  const [most] = uses.toSorted((one, other) => filled(other) - filled(one));
  if (most === undefined || filled(most) <= NEAR) return [];
  const taken = `${asMemory(most.takenBytes)} of ${asMemory(most.limitBytes)}`;
  const seen = `servers, load tool and tracetax took ${taken} that their container may use`;
  const remedy = 'Give the container more memory (docker run --memory, or limits.memory)';
  return [finding(`Costs may read too high: ${seen}`, remedy)];
}

function filled({ takenBytes, limitBytes }: LimitedMemory): number {
  return takenBytes / limitBytes;
}
