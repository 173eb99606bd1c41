import { resolve } from 'node:path';
import { z } from 'zod';
import { resultSchema } from '../results/schema.ts';

/** Where the schema of the results file is published, as JSON Schema (2020-12). */
export const SCHEMA_FILE = resolve(import.meta.dir, '../../docs/results.schema.json');

/** The schema of what is read: what later versions added may be missing from a file. */
export function jsonSchema(): object {
  return { title: 'tracetax result', ...z.toJSONSchema(resultSchema, { io: 'input' }) };
}

if (import.meta.main) {
  await Bun.write(SCHEMA_FILE, `${JSON.stringify(jsonSchema(), null, 2)}\n`);
  Bun.spawnSync([process.execPath, 'x', 'biome', 'format', '--write', SCHEMA_FILE], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}
