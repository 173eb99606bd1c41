import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import type { Profiler } from 'node:inspector';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Both, forBoth, SIDES } from '../pair/sides.ts';
import type { Side } from '../result/schema.ts';
import { orProblem, orUndefined, Problem } from '../words/errors.ts';
import { namesIn, writeFileAtomically } from '../words/files.ts';

/** What was sampled of a server under load, as `.cpuprofile` files have it, and how it fared meanwhile. */
export interface Profile extends Profiler.Profile {
  tracetax: {
    requests: number;
    /** Of all threads but the sampler's. */
    cpuNs: number;
    /** CPU time of the thread that runs JavaScript, as a part of the time for which it wanted a core: it shares that. */
    ranShare: number;
    /** CPU time of other threads by their names without numbers. Empty if nothing tells. */
    threadNs: Record<string, number>;
    /** Samples of what the kernel does, afterwards, without the profiler. Null if nothing tells. */
    kernel: Record<string, number> | null;
    /** What was asked for between two samples. */
    intervalUs: number;
    task: string;
    /** Whose code each file is. */
    packages: Record<string, string>;
  };
}

const AGAIN = 'Profile again: leave out --from';

/** `results/<name>.profiles`, beside the result. */
export function profilesFolder(resultFile: string): string {
  return `${resultFile.replace(/\.json$/, '')}.profiles`;
}

const fileOf = (folder: string, pair: number, scenario: string, side: Side) =>
  join(folder, `${pair}-${scenario}-${side}.cpuprofile`);

/** Keeps both profiles of a pair. @throws Problem if they can't be written. */
export async function writeProfiles(
  folder: string,
  pair: number,
  scenario: string,
  profiles: Both<Profile>,
) {
  await orProblem(
    () => mkdir(folder, { recursive: true }),
    `${folder} can't be made`,
    'Choose another place (--out)',
  );
  for (const side of SIDES)
    await writeFileAtomically(fileOf(folder, pair, scenario, side), JSON.stringify(profiles[side]));
}

/** The pairs of a scenario that were profiled. @throws Problem if there is none, or a file is not as it should be. */
export function readProfiles(folder: string, task: string, scenario: string): Both<Profile>[] {
  const numbers = namesIn(folder)
    .filter((name) => name.replace(/^\d+/, '') === `-${scenario}-baseline.cpuprofile`)
    .map((name) => Number.parseInt(name, 10));
  const pairs = numbers.map((pair) =>
    forBoth((side) => readProfile(fileOf(folder, pair, scenario, side))),
  );
  const own = pairs.filter(({ baseline }) => baseline.tracetax.task === task);
  if (own.length === 0) throw new Problem(`${folder} has no profiles of ${scenario}`, AGAIN);
  return own;
}

function readProfile(file: string): Profile {
  const profile: Profile | undefined = orUndefined(() => JSON.parse(readFileSync(file, 'utf8')));
  if (profile?.tracetax?.requests && profile.nodes?.length) return profile;
  throw new Problem(`${file} is cut short, or not a profile of tracetax`, AGAIN);
}

/** Whose code each file of a profile is. */
export function packagesIn({ nodes }: Profiler.Profile, cwd: string): Record<string, string> {
  const urls = new Set(nodes.map(({ callFrame }) => callFrame.url).filter((url) => url !== ''));
  return Object.fromEntries([...urls].map((url) => [url, packageOf(url, cwd)]));
}

/** A package's name; `the application` for that of the server's folder, and for what is in none; `the runtime` for its modules. */
export function packageOf(url: string, cwd: string): string {
  if (!url.startsWith('file:') && !url.startsWith('/')) return 'the runtime';
  const file = url.startsWith('file:') ? fileURLToPath(url) : url;
  if (/\/tracetax-\w+\/x-\w+\/probe\.cjs$/.test(file)) return 'the probe of tracetax';
  const name = nameAbove(dirname(file));
  return name === undefined || name === nameAbove(cwd) ? 'the application' : name;
}

/** The name in the nearest package.json at or above a folder that has one: those in folders such as dist/ have none. */
function nameAbove(folder: string): string | undefined {
  const name = orUndefined(
    () => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).name,
  );
  return name || (dirname(folder) === folder ? undefined : nameAbove(dirname(folder)));
}
