import { runLoad } from '../load/run-load.ts';
import { checkAnswer } from '../server/check.ts';
import { startServer } from '../server/server.ts';
import { startSink } from '../sink/sink.ts';

/** What a pair does to the world. Tests of its order and its faults put fakes in place of these. */
export const RIG = { startServer, startSink, checkAnswer, runLoad };

export type Rig = typeof RIG;
