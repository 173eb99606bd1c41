import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mean, sum } from 'simple-statistics';
import { z } from 'zod';
import { ifThere, namesIn } from '../machine/read.ts';
import { type Both, SIDES } from '../measure/bench.ts';
import type { ProfiledServer } from '../measure/profiled-pair.ts';
import { Problem } from '../problem.ts';
import { packageOf } from './owner.ts';

/** A function. The position is that of its definition, so that all of this tells one from another. */
const frameSchema = z.object({
  functionName: z.string(),
  /** Of its file; empty for a built-in function. */
  url: z.string(),
  lineNumber: z.int(),
  columnNumber: z.int(),
});
export type Frame = z.output<typeof frameSchema>;

/** Profiler.Profile of the DevTools protocol, as far as it is used, with what the kit adds; other programs don't mind. */
const fileSchema = z.object({
  nodes: z.array(
    z.object({
      id: z.int(),
      callFrame: frameSchema,
      hitCount: z.int().nonnegative().default(0),
      children: z.array(z.int()).default([]),
    }),
  ),
  timeDeltas: z.array(z.number()),
  tracetax: z.object({
    task: z.string(),
    scenario: z.string(),
    /** The pair's number in the run. */
    pair: z.int(),
    side: z.enum(SIDES),
    intervalUs: z.number().positive(),
    requests: z.number().positive(),
    cpuNs: z.number().positive(),
    ranShare: z.number().positive(),
    threadNs: z.record(z.string(), z.number()),
    /** Whose each file is. */
    packages: z.record(z.string(), z.string()),
  }),
});
type Content = z.output<typeof fileSchema>;

/** What was sampled of a server, and how it fared meanwhile. */
export interface ProfiledSide extends z.output<typeof fileSchema.shape.tracetax> {
  /** What ran, from the outermost function to the innermost. */
  stacks: { frames: Frame[]; samples: number }[];
  /** The real time from one sample to the next. */
  periodUs: number;
}

const LEAST_SAMPLES = 20;
const AGAIN = 'Profile again: leave out --from';

/** `results/<name>.profiles`, beside the result. */
export function profilesFolder(resultFile: string): string {
  return `${resultFile.replace(/\.json$/, '')}.profiles`;
}

/** Keeps both profiles of a pair. */
export function writeProfiles(
  folder: string,
  { cwd, ...pair }: { task: string; scenario: string; pair: number; cwd: string },
  servers: Both<ProfiledServer>,
): void {
  for (const side of SIDES) {
    const { profile, ...used } = servers[side];
    const content = JSON.parse(profile) as Pick<Content, 'nodes'>;
    const packages: Content['tracetax']['packages'] = {};
    for (const { url } of content.nodes.map(({ callFrame }) => callFrame)) {
      const owner = packages[url] ?? packageOf(url, cwd);
      if (owner !== undefined) packages[url] = owner;
    }
    const file = join(folder, `${pair.pair}-${pair.scenario}-${side}.cpuprofile`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, JSON.stringify({ ...content, tracetax: { ...pair, side, ...used, packages } }));
  }
}

/** The pairs of a scenario that were profiled. @throws Problem if there is none, or a file is not as it should be. */
export function readProfiles(folder: string, task: string, scenario: string): Both<ProfiledSide>[] {
  const sides = namesIn(folder)
    .filter((name) => name.endsWith('.cpuprofile'))
    .map((name) => readSide(join(folder, name)));
  const own = sides.filter((side) => side.task === task && side.scenario === scenario);
  const pairs = [...Map.groupBy(own, ({ pair }) => pair).values()].flatMap((pair): Both<ProfiledSide>[] => {
    const [baseline, other] = SIDES.map((side) => pair.find((each) => each.side === side));
    return baseline && other ? [{ baseline, scenario: other }] : [];
  });
  if (pairs.length === 0) throw new Problem(`${folder} has no profiles of ${scenario}`, AGAIN);
  return pairs;
}

function readSide(file: string): ProfiledSide {
  const { nodes, timeDeltas, tracetax } = readContent(file);
  const stacks = stacksOf(nodes);
  const samples = sum(stacks.map((stack) => stack.samples));
  if (samples < LEAST_SAMPLES)
    throw new Problem(`${file} has ${samples} samples, too few to explain anything`, 'Send more load (--connections)');
  return { ...tracetax, stacks, periodUs: periodOf(timeDeltas, tracetax.intervalUs) };
}

function readContent(file: string): Content {
  const content = ifThere(() => fileSchema.parse(JSON.parse(readFileSync(file, 'utf8'))));
  if (content) return content;
  throw new Problem(`${file} is cut short, or no profile of the kit's`, AGAIN);
}

/** What V8 and JavaScriptCore call that no JavaScript runs. */
const NO_JAVASCRIPT = new Set(['(root)', '(program)', '(idle)']);

function stacksOf(nodes: Content['nodes']): ProfiledSide['stacks'] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const from = ({ callFrame, hitCount, children }: Content['nodes'][number], callers: Frame[]): typeof stacks => {
    const isReal = !NO_JAVASCRIPT.has(callFrame.functionName);
    const frames = isReal ? [...callers, callFrame] : callers;
    const called = children.flatMap((id) => byId.get(id) ?? []).flatMap((child) => from(child, frames));
    return isReal && hitCount > 0 ? [{ frames, samples: hitCount }, ...called] : called;
  };
  const stacks: ProfiledSide['stacks'] = nodes[0] ? from(nodes[0], []) : [];
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
