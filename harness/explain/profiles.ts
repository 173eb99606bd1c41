import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { Profiler } from 'node:inspector';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Both, forBoth, SIDES } from '../pair/sides.ts';
import type { Side } from '../result/schema.ts';
import { orProblem, orUndefined, Problem } from '../words/errors.ts';
import { namesIn, writeFileAtomically } from '../words/files.ts';

/** What was sampled of a server under load, as `.cpuprofile` files have it. */
export interface Profile extends Profiler.Profile {
  tracetax: ProfileFacts;
}

/** How a server fared while it was sampled. */
export interface ProfileFacts {
  /** Requests that were answered. */
  requests: number;
  /** CPU time of all threads but the sampler's. */
  cpuNs: number;
  /**
   * CPU time of the thread that runs JavaScript, as a part of the time for which that thread wanted
   * a core: it shares the core with others.
   */
  ranShare: number;
  /** CPU time of other threads by their names without numbers. Empty if nothing tells. */
  threadNs: Record<string, number>;
  /** Samples of what the kernel does, taken later without the profiler. Null if nothing tells. */
  kernel: Record<string, number> | null;
  /** The interval between two samples that was asked for. */
  intervalUs: number;
  task: string;
  /** The package to which each file belongs, by the file's URL. */
  packages: Record<string, string>;
}

const REMEDY = 'Profile again: leave out --from';

/** Returns the folder of profiles beside a result file: `results/<name>.profiles`. */
export function profilesFolder(resultFile: string): string {
  return `${resultFile.replace(/\.json$/, '')}.profiles`;
}

function profileFile(folder: string, pair: number, scenario: string, side: Side): string {
  return join(folder, `${pair}-${scenario}-${side}.cpuprofile`);
}

/** Writes both profiles of a pair. @throws Problem if they can't be written. */
export async function writeProfiles(
  folder: string,
  pair: number,
  scenario: string,
  profiles: Both<Profile>,
): Promise<void> {
  await orProblem(
    () => mkdir(folder, { recursive: true }),
    `${folder} can't be made`,
    'Choose another place (--out)',
  );
  for (const side of SIDES) {
    const file = profileFile(folder, pair, scenario, side);
    await writeFileAtomically(file, JSON.stringify(profiles[side]));
  }
}

/**
 * Returns the profiles of a scenario in a task, one for each pair that was profiled.
 * @throws Problem if there is none, or if a file is not as it should be
 */
export function readProfiles(folder: string, task: string, scenario: string): Both<Profile>[] {
  const pairs = profiledPairs(folder, scenario).map((pair) =>
    forBoth((side) => readProfile(profileFile(folder, pair, scenario, side))),
  );
  const pairsOfTask = pairs.filter(({ baseline }) => baseline.tracetax.task === task);
  if (pairsOfTask.length === 0)
    throw new Problem(`${folder} has no profiles of ${scenario}`, REMEDY);
  return pairsOfTask;
}

/** Returns the numbers of the pairs of a scenario that have profiles in a folder. */
function profiledPairs(folder: string, scenario: string): number[] {
  const ending = `-${scenario}-baseline.cpuprofile`;
  return namesIn(folder)
    .filter((name) => name.replace(/^\d+/, '') === ending)
    .map((name) => Number.parseInt(name, 10));
}

function readProfile(file: string): Profile {
  const profile: Profile | undefined = orUndefined(() => JSON.parse(readFileSync(file, 'utf8')));
  const isComplete = profile?.tracetax?.requests && profile.nodes?.length;
  if (isComplete) return profile;
  throw new Problem(`${file} is cut short, or not a profile of tracetax`, REMEDY);
}

/** Returns the package to which each file of a profile belongs, by the file's URL. */
export function packagesByUrl({ nodes }: Profiler.Profile, cwd: string): Record<string, string> {
  const urls = new Set(nodes.map(({ callFrame }) => callFrame.url).filter((url) => url !== ''));
  return Object.fromEntries([...urls].map((url) => [url, codeOwner(url, cwd)]));
}

/**
 * Returns whose code a file is: the name of its package; `the application` for the package of the
 * server's folder, and for a file in no package; `the runtime` for modules of the runtime.
 */
export function codeOwner(url: string, cwd: string): string {
  if (!url.startsWith('file:') && !url.startsWith('/')) return 'the runtime';
  const file = url.startsWith('file:') ? fileURLToPath(url) : url;
  if (/\/tracetax-\w+\/x-\w+\/probe\.cjs$/.test(file)) return 'the probe of tracetax';
  const name = nearestPackageName(dirname(file));
  return name === undefined || name === nearestPackageName(cwd) ? 'the application' : name;
}

/**
 * Returns the name in the nearest package.json that has one, at or above a folder. A package.json
 * in a folder such as dist/ may have none.
 */
function nearestPackageName(folder: string): string | undefined {
  const name = orUndefined(
    () => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name,
  );
  if (name) return name;
  const parent = dirname(folder);
  return parent === folder ? undefined : nearestPackageName(parent);
}
