import { mean } from 'simple-statistics';
import { z } from 'zod';
import { Problem } from '../problem.ts';

/** A function of a profile. Positions are those of its definition, so that all of this tells one function from another. */
export interface Frame {
  name: string;
  /** Of its file; empty for a built-in function. */
  url: string;
  line: number;
  column: number;
}

/** What ran when samples were taken, from the outermost function to the innermost. */
export interface Stack {
  frames: Frame[];
  samples: number;
}

export interface Profile {
  stacks: Stack[];
  /** The real time from one sample to the next. */
  periodUs: number;
}

/** The format of Chrome's DevTools, as far as it is used: Profiler.Profile of its protocol. */
export const profileSchema = z.looseObject({
  nodes: z.array(
    z.looseObject({
      id: z.int(),
      callFrame: z.looseObject({
        functionName: z.string(),
        url: z.string(),
        lineNumber: z.int(),
        columnNumber: z.int(),
      }),
      hitCount: z.int().nonnegative().default(0),
      children: z.array(z.int()).default([]),
    }),
  ),
  timeDeltas: z.array(z.number()),
});
type Content = z.output<typeof profileSchema>;
type Node = Content['nodes'][number];

/** What V8 and JavaScriptCore call that no JavaScript runs. */
const NO_JAVASCRIPT = new Set(['(root)', '(program)', '(idle)']);

const LEAST_SAMPLES = 20;

/**
 * What a profile says that was to have so many µs from one sample to the next.
 * @throws Problem if that is nothing; `file` is its name.
 */
export function readProfile({ nodes, timeDeltas }: Content, intervalUs: number, file: string): Profile {
  const stacks = stacksOf(nodes);
  const samples = stacks.reduce((sum, stack) => sum + stack.samples, 0);
  if (samples < LEAST_SAMPLES)
    throw new Problem(`${file} has ${samples} samples, too few to explain anything`, 'Send more load (--connections)');
  return { stacks, periodUs: periodOf(timeDeltas, intervalUs) };
}

function stacksOf(nodes: Node[]): Stack[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const stacks: Stack[] = [];
  const visit = ({ callFrame, hitCount, children }: Node, callers: Frame[]) => {
    const { functionName, url, lineNumber, columnNumber } = callFrame;
    const isReal = !NO_JAVASCRIPT.has(functionName);
    const frame = { name: functionName || '(anonymous)', url, line: lineNumber, column: columnNumber };
    const frames = isReal ? [...callers, frame] : callers;
    if (isReal && hitCount > 0) stacks.push({ frames, samples: hitCount });
    for (const child of children.flatMap((id) => byId.get(id) ?? [])) visit(child, frames);
  };
  if (nodes[0]) visit(nodes[0], []);
  return stacks;
}

/**
 * The sampler wakes later than asked for, by as much as the system pleases. JavaScriptCore keeps no sample if no JavaScript
 * runs, so that most of the times from one to the next are multiples: those near the interval are single periods, which vary
 * by a fifth on purpose.
 */
function periodOf(timeDeltas: number[], intervalUs: number): number {
  const single = timeDeltas.filter((deltaUs) => deltaUs > 0.75 * intervalUs && deltaUs < 1.6 * intervalUs);
  return single.length > 0 ? mean(single) : intervalUs;
}
