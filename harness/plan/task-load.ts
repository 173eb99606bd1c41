import type { Load } from '../load/tool.ts';
import type { PlannedTask } from './plan.ts';

/** The load of a task on a server, wherever that server is. */
export type TaskLoad = Omit<Load, 'origin'>;

/**
 * Returns the load of a task on one server.
 * @param serversAtOnce how many servers are under load at the same time: they share the connections
 */
export function loadOf(
  task: PlannedTask,
  durationSeconds: number,
  serversAtOnce: 1 | 2 = 1,
): TaskLoad {
  return {
    requests: task.exchanges.map(({ request, weight }) => ({ ...request, weight })),
    connections: Math.ceil(task.connections / serversAtOnce),
    durationSeconds,
    rate: task.rate,
  };
}
