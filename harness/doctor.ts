import { type RunOptions, runOptions } from './options.ts';
import { type Plan, plan } from './plan.ts';
import { watchCores } from './process/cores.ts';
import { emptyResult } from './run.ts';
import { verdictsOf } from './stats/verdicts.ts';

const WATCH_MS = 2_000;
/** What others may take of the cores of a machine that is said to be idle. */
const IDLE_SHARE = 0.05;

/**
 * What a run would find on this machine, a line for each: what it would use, and what it would mark.
 * @throws Problem where a run could not begin, such as without a load tool.
 */
export async function doctor(options: Pick<RunOptions, 'tool'>): Promise<string> {
  const planned = await plan({ ...defaults(), ...options });
  const result = emptyResult(planned, new Date());
  const { environment: machine } = result;
  const marked = [...verdictsOf(result), ...(await otherLoad(planned))];
  return [
    line(
      'machine',
      `${machine.cpu}, ${machine.cores} cores, ${machine.kernel}, ${machine.virtualization ?? 'no hypervisor seen'}`,
    ),
    line('runtime', `Bun ${machine.runtime.version} (${machine.runtime.revision.slice(0, 8)})`),
    line('load tool', `${planned.tool.tool.name} ${planned.tool.version} (${planned.tool.program})`),
    line(
      'cores',
      planned.pinning
        ? `server ${planned.pinning.serverCore}, load tool ${planned.pinning.toolCores}`
        : 'not pinned',
    ),
    line('CPU clock', 'name' in planned.cpuClock ? planned.cpuClock.name : planned.cpuClock.missing),
    line('frequency', machine.frequencyGovernor ?? 'the system does not tell'),
    ...marked.map(({ message, remedy }) => line('MARKED', `${message}. ${remedy}`)),
    marked.length === 0 ? 'Nothing would be marked.' : `${marked.length} would be marked.`,
  ].join('\n');
}

function defaults(): RunOptions {
  const entries = runOptions().map((option) => [option.attributeName(), option.defaultValue]);
  // Commander's --no-x options are on by default.
  return { pin: true, ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)) };
}

function line(label: string, text: string): string {
  return `${label.padEnd(10)} ${text}`;
}

async function otherLoad({ pinning }: Plan): Promise<{ message: string; remedy: string }[]> {
  const coreUse = watchCores(pinning);
  await Bun.sleep(WATCH_MS);
  const used = coreUse();
  if (!used) return [];
  const share = (used.server.busyNs + used.tool.busyNs) / used.wallNs;
  if (share < IDLE_SHARE) return [];
  const message = `Other processes take ${(share * 100).toFixed(0)} % of a core just now`;
  return [{ message, remedy: 'Stop what else runs, or measure elsewhere' }];
}
