import { readFileSync } from 'node:fs';
import type { Request } from './request-schema.ts';

/**
 * Returns what a request sends, wherever the suite has it; undefined for a request without body.
 */
export function bodyOf({
  body,
  bodyFile,
}: Pick<Request, 'body' | 'bodyFile'>): string | Buffer | undefined {
  return bodyFile === undefined ? body : readFileSync(bodyFile);
}
