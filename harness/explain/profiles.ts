import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { mean, sum } from 'simple-statistics';
import { z } from 'zod';
import { ifThere, namesIn } from '../machine/read.ts';
import { type Both, forBoth, SIDES } from '../pair/sides.ts';
import type { Side } from '../result/schema.ts';
import { orProblem, Problem } from '../words/errors.ts';
import { writeWhole } from '../words/output.ts';
import { packageOf } from './owner.ts';
import type { ProfiledServer } from './profiled-pair.ts';

/** A function. The position is that of its definition, so that all of this tells one from another. */
const frameSchema = z.object({
  functionName: z.string(),
  /** Of its file; empty for a built-in function. */
  url: z.string(),
  lineNumber: z.int(),
  columnNumber: z.int(),
});
export type Frame = z.output<typeof frameSchema>;

const nodeSchema = z.object({
  id: z.int(),
  callFrame: frameSchema,
  hitCount: z.int().nonnegative().default(0),
  children: z.array(z.int()).default([]),
});
export type Node = z.output<typeof nodeSchema>;

/** Profiler.Profile of the DevTools protocol, as far as it is used here. */
const profileSchema = z.object({ nodes: z.array(nodeSchema).min(1), timeDeltas: z.array(z.number()) });

/** Of which pair of the run a profile is. */
type Profiled = { task: string; scenario: string; pair: number };
/** What the kit adds; other programs don't mind. `packages`: whose each file is. */
type Kept = Omit<ProfiledServer, 'profile'> & Profiled & { side: Side; packages: Record<string, string> };
const fileSchema = profileSchema.extend({ tracetax: z.custom<Kept>((kept) => Object(kept).requests > 0) });

/** What was sampled of a server, and how it fared meanwhile. The first node is the root of all calls. */
export type ProfiledSide = ReturnType<typeof readSide>;

/** What V8 and JavaScriptCore call that no JavaScript runs. */
export const NO_JAVASCRIPT = new Set(['(root)', '(program)', '(idle)']);

const LEAST_SAMPLES = 20;
const AGAIN = 'Profile again: leave out --from';

/** `results/<name>.profiles`, beside the result. */
export function profilesFolder(resultFile: string): string {
  return `${resultFile.replace(/\.json$/, '')}.profiles`;
}

/** Keeps both profiles of a pair. @throws Problem if they are none, or can't be written. */
export async function writeProfiles(
  folder: string,
  { folders, ...pair }: Profiled & { folders: Both<string> },
  servers: Both<ProfiledServer>,
): Promise<void> {
  await orProblem(() => mkdir(folder, { recursive: true }), `${folder} can't be made`, 'Choose another place (--out)');
  for (const side of SIDES) {
    const { profile, ...used } = servers[side];
    const remedy = 'explain needs servers that run on Bun 1.4 or Node';
    const { nodes } = await orProblem(() => profileSchema.parse(profile), 'The server gave no profile', remedy);
    const urls = nodes.map(({ callFrame }) => callFrame.url).filter((url) => url !== '');
    const packages = Object.fromEntries([...new Set(urls)].map((url) => [url, packageOf(url, folders[side])]));
    const content = { ...Object(profile), tracetax: { ...pair, side, ...used, packages } };
    await writeWhole(fileOf(folder, pair.pair, pair.scenario, side), JSON.stringify(content));
  }
}

function fileOf(folder: string, pair: number, scenario: string, side: Side): string {
  return join(folder, `${pair}-${scenario}-${side}.cpuprofile`);
}

/** The pairs of a scenario that were profiled. @throws Problem if there is none, or a file is not as it should be. */
export function readProfiles(folder: string, task: string, scenario: string): Both<ProfiledSide>[] {
  const numbers = namesIn(folder)
    .filter((name) => name.replace(/^\d+/, '') === `-${scenario}-baseline.cpuprofile`)
    .map((name) => Number.parseInt(name, 10));
  const pairs = numbers.map((pair) => forBoth((side) => readSide(fileOf(folder, pair, scenario, side))));
  const own = pairs.filter(({ baseline }) => baseline.task === task);
  if (own.length === 0) throw new Problem(`${folder} has no profiles of ${scenario}`, AGAIN);
  return own;
}

function readSide(file: string) {
  const content = ifThere(() => fileSchema.parse(JSON.parse(readFileSync(file, 'utf8'))));
  if (!content) throw new Problem(`${file} is cut short, or not a profile of tracetax`, AGAIN);
  const { nodes, timeDeltas, tracetax } = content;
  const ran = nodes.filter(({ callFrame }) => !NO_JAVASCRIPT.has(callFrame.functionName));
  const samples = sum(ran.map(({ hitCount }) => hitCount));
  if (samples < LEAST_SAMPLES)
    throw new Problem(`${file} has ${samples} samples, too few to explain anything`, 'Send more load (--connections)');
  return { ...tracetax, nodes, periodUs: periodOf(timeDeltas, tracetax.intervalUs) };
}

/**
 * The real time from one sample to the next: the sampler wakes late. JavaScriptCore keeps no sample if no JavaScript
 * runs, so most times are multiples: those near the interval are single periods, which vary by a fifth on purpose.
 */
function periodOf(timeDeltas: number[], intervalUs: number): number {
  const single = timeDeltas.filter((deltaUs) => deltaUs > 0.75 * intervalUs && deltaUs < 1.6 * intervalUs);
  return single.length > 0 ? mean(single) : intervalUs;
}
