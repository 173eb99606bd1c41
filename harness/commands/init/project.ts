import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { namesIn, readText } from '../../machine/read.ts';
import { orProblem } from '../../words/errors.ts';

/** What a package.json says, and the files beside it. */
export type Project = NonNullable<Awaited<ReturnType<typeof projectIn>>>;

const packages = z.record(z.string(), z.unknown()).nullish();
const manifest = z.object({
  name: z.string().nullish(),
  scripts: z.record(z.string(), z.string()).nullish(),
  dependencies: packages,
  devDependencies: packages,
  packageManager: z.string().nullish(),
  // Bundlers read other things than a path from them.
  main: z.string().nullish().catch(null),
  module: z.string().nullish().catch(null),
});

const MANAGERS = {
  ...{ 'bun.lock': 'bun', 'bun.lockb': 'bun', 'package-lock.json': 'npm', 'npm-shrinkwrap.json': 'npm' },
  ...{ 'pnpm-lock.yaml': 'pnpm', 'yarn.lock': 'yarn', 'bunfig.toml': 'bun' },
};

/** The project in the folder; undefined without a package.json. @throws Problem if that can't be read */
export async function projectIn(folder: string) {
  const text = readText(join(folder, 'package.json'));
  if (text === undefined) return undefined;
  const read = () => manifest.parse(JSON.parse(text.replace(/^\uFEFF/, '')));
  const content = await orProblem(read, "package.json can't be read", 'Fix it, then run init again');
  const { name, scripts, main, module, packageManager, dependencies, devDependencies } = content;
  const files = namesIn(folder);
  const [, locked] = Object.entries(MANAGERS).find(([file]) => files.includes(file)) ?? [];
  return {
    folder,
    manager: locked ?? packageManager?.split('@')[0] ?? 'npm',
    name: name?.replace(/^@[^/]*\//, '') ?? '',
    scripts: scripts ?? {},
    dependencies: Object.keys({ ...dependencies, ...devDependencies }),
    mains: [main, module].filter((file) => typeof file === 'string'),
  };
}

/** The source of what is started, which may be built from it; undefined if there is none. */
export function sourceOf(folder: string, path: string): string | undefined {
  const source = path.replace(/^(\.\/)?(dist|build|out|lib)\/(src\/)?/, '').replace(/\.[mc]?js$/, '');
  const paths = source === path.replace(/\.[mc]?js$/, '') ? [path] : [`src/${source}`, source, path];
  const ends = ['', '.ts', '.mts', '.tsx', '.js', '.mjs', '.cjs', '/index.ts', '/index.js'];
  const files = paths.flatMap((each) => ends.map((end) => resolve(folder, each + end)));
  return files.find((file) => existsSync(file) && statSync(file).isFile());
}
