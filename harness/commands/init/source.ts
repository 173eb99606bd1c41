import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

/** The source of what is started, which may be built from it; undefined if there is none. */
export function sourceOf(folder: string, path: string): string | undefined {
  const source = path.replace(/^(\.\/)?(dist|build|out|lib)\/(src\/)?/, '').replace(/\.[mc]?js$/, '');
  const paths = source === path.replace(/\.[mc]?js$/, '') ? [path] : [`src/${source}`, source, path];
  const ends = ['', '.ts', '.mts', '.tsx', '.js', '.mjs', '.cjs', '/index.ts', '/index.js'];
  const files = paths.flatMap((each) => ends.map((end) => resolve(folder, each + end)));
  return files.find((file) => existsSync(file) && statSync(file).isFile());
}
