import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Both } from '../measure/bench.ts';
import type { ProfiledServer } from '../measure/profiled-pair.ts';
import { Problem } from '../problem.ts';
import { packageOf } from './packages.ts';
import { type Profile, profileSchema, readProfile } from './profile.ts';

/** What the kit adds to a profile. Programs that read such files leave out what they don't know. */
const addedSchema = z.object({
  task: z.string(),
  scenario: z.string(),
  /** Its number in the run. */
  pair: z.int(),
  side: z.enum(['baseline', 'scenario']),
  intervalUs: z.number().positive(),
  requests: z.number().positive(),
  cpuNs: z.number().positive(),
  ranShare: z.number().positive(),
  threadNs: z.record(z.string(), z.number()),
  /** Whose each file in it is. */
  packages: z.record(z.string(), z.string()),
});
const fileSchema = profileSchema.extend({ tracetax: addedSchema });

export type ProfiledSide = z.output<typeof addedSchema> & Profile;
/** Both servers of a pair. */
export type ProfiledPair = Both<ProfiledSide>;

/** `results/<name>.profiles`, beside the result. */
export function profilesFolder(resultFile: string): string {
  return `${resultFile.replace(/\.json$/, '')}.profiles`;
}

/** Keeps both profiles of a pair. @throws Problem if the folder can't be written to. */
export function writeProfiles(
  folder: string,
  about: { task: string; scenario: string; pair: number; cwd: string },
  servers: Both<ProfiledServer>,
): void {
  const { cwd, ...named } = about;
  for (const side of ['baseline', 'scenario'] as const) {
    const { profile: text, ...used } = servers[side];
    const profile = profileSchema.parse(JSON.parse(text));
    const urls = [...new Set(profile.nodes.map(({ callFrame }) => callFrame.url))];
    const packages = Object.fromEntries(urls.flatMap((url) => owned(url, cwd)));
    const file = join(folder, `${named.pair}-${named.scenario}-${side}.cpuprofile`);
    try {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, JSON.stringify({ ...profile, tracetax: { ...named, side, ...used, packages } }));
    } catch (error) {
      throw new Problem(`${file} can't be written: ${(error as Error).message}`, 'Choose another place with --out');
    }
  }
}

function owned(url: string, cwd: string): [string, string][] {
  const owner = packageOf(url, cwd);
  return owner === undefined ? [] : [[url, owner]];
}

/** All pairs of a scenario that were profiled. @throws Problem if there is none, or a file is not as it should be. */
export function readProfiles(folder: string, task: string, scenario: string): ProfiledPair[] {
  const sides = filesIn(folder)
    .map(readSide)
    .filter((each) => each.task === task && each.scenario === scenario);
  const pairs = [...Map.groupBy(sides, ({ pair }) => pair).values()].flatMap((pair): ProfiledPair[] => {
    const [baseline, other] = ['baseline', 'scenario'].map((side) => pair.find((each) => each.side === side));
    return baseline && other ? [{ baseline, scenario: other }] : [];
  });
  if (pairs.length === 0) throw new Problem(`${folder} has no profiles of ${scenario}`, 'Profile it: leave out --from');
  return pairs;
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.cpuprofile'))
      .map((name) => join(folder, name));
  } catch {
    throw new Problem(`There is no folder ${folder} with profiles`, 'Profile again: leave out --from');
  }
}

function readSide(file: string): ProfiledSide {
  const parsed = fileSchema.safeParse(parseJson(readFileSync(file, 'utf8')));
  if (!parsed.success)
    throw new Problem(`${file} is cut short, or no profile of the kit's`, 'Profile again: leave out --from');
  return { ...parsed.data.tracetax, ...readProfile(parsed.data, parsed.data.tracetax.intervalUs, file) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
