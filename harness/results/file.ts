import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Problem } from '../problem.ts';
import { describeIssues } from '../schema-issues.ts';
import { incoherence } from './coherence.ts';
import { firstFault } from './first-fault.ts';
import { type Result, resultSchema, SCHEMA_VERSION } from './schema.ts';

export const RESULTS = resolve(import.meta.dir, '../../results');

/** A full run is well below 1 MB; what is larger than this was not written by the kit. */
const MAX_BYTES = 64 * 1024 ** 2;

/** A result is 12 deep, and the spans that a suite declares may nest some more. */
const MAX_DEPTH = 100;

/** `results/<time>-<suite>.json`, where a run is kept unless `--out` says otherwise. */
export function defaultResultFile(startedAt: Date, suite: string): string {
  const time = startedAt.toISOString().slice(0, 19).replaceAll(':', '');
  return `${RESULTS}/${time}Z-${suite}.json`;
}

/**
 * Writes the result beside its place and renames it there, so that a reader finds a whole file at any time.
 * @throws Problem where the folder can't be written to.
 */
export function writeResult(file: string, result: Result): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(resolve(file)), { recursive: true });
    writeFileSync(temporary, `${JSON.stringify(result, null, 1)}\n`);
    renameSync(temporary, file);
  } catch (error) {
    throw new Problem(
      `The result can't be written to ${file}: ${(error as Error).message}`,
      'Choose another file with --out',
    );
  }
}

/**
 * Reads a result and checks it against the schema.
 * @throws Problem where the file can't be read, is not a result, or is of another schema version; for a file of
 * whatever content, in a time that its size bounds.
 */
export function readResult(file: string): Result {
  const content = parseJson(file, readText(file));
  const version = (content as { schemaVersion?: unknown } | null)?.schemaVersion;
  if (typeof version === 'number' && version !== SCHEMA_VERSION) {
    throw new Problem(
      `${file} has schema version ${version}, and this is a reader of version ${SCHEMA_VERSION}`,
      'Use the version of tracetax that wrote it',
    );
  }
  const result = checked(content);
  if (typeof result !== 'string') return result;
  throw new Problem(
    `${file} is not a result of tracetax: ${result.slice(0, 300)}`,
    'Give a file that scripts/bench.sh wrote',
  );
}

/** The result, or why it is none. */
function checked(content: unknown): Result | string {
  const fault = firstFault(resultSchema, content);
  if (fault !== undefined) return fault;
  const parsed = resultSchema.safeParse(content);
  if (!parsed.success) return describeIssues(parsed.error);
  return incoherence(parsed.data) ?? parsed.data;
}

function readText(file: string): string {
  try {
    const found = statSync(file);
    if (!found.isFile()) throw new Error('it is no regular file');
    if (found.size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES / 1024 ** 2} MiB`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Problem(
      `${file} can't be read: ${(error as Error).message}`,
      'Give a file that scripts/bench.sh wrote',
    );
  }
}

function parseJson(file: string, text: string): unknown {
  try {
    if (depthOf(text) > MAX_DEPTH) throw new Error(`it is nested more than ${MAX_DEPTH} deep`);
    return JSON.parse(text);
  } catch (error) {
    throw new Problem(
      `${file} is not JSON: ${(error as Error).message.slice(0, 300)}`,
      'Give a file that scripts/bench.sh wrote',
    );
  }
}

/** How deep its brackets are nested, without following them. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index] as string;
    if (character === '"') isInString = !isInString;
    else if (isInString) index += character === '\\' ? 1 : 0;
    else if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth);
    else if (character === ']' || character === '}') depth -= 1;
  }
  return deepest;
}
