import { sleep } from 'bun';
import { checkAnswer } from '../exchange/check.ts';
import { runLoad } from '../load/run-load.ts';
import { watchCores, watchGroup } from '../machine/cpu-time.ts';
import { adopt, cpuTimesUs, memoryBytes } from '../processes/processes.ts';
import { startServer } from '../server/server.ts';
import { startSink } from '../sink/sink.ts';

/** What pairs do to the world. Tests put fakes in place of these, and wait for nothing. */
export const RIG = {
  startServer,
  startSink,
  checkAnswer,
  runLoad,
  watchCores,
  watchGroup,
  adopt,
  memoryBytes,
  cpuTimesUs,
  sleep,
  nowMs: () => performance.now(),
};
