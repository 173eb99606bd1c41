import { zValidator } from '@hono/zod-validator';
import type { Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import type { z } from 'zod';

/**
 * Bun's own limit is 128 MiB: up to there the answer is this server's, and beyond a 413 without a
 * body.
 */
export const MAX_BODY_BYTES = 50_000_000;

export const limitBody = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: (c) => c.json({ error: `The body has more than ${MAX_BODY_BYTES} bytes` }, 413),
});

/**
 * Lets a request pass if its body is JSON of this shape; answers 400 and names the fields that are
 * not.
 */
export function jsonBody<T extends z.ZodObject>(shape: T) {
  return zValidator('json', shape, (result, c) => {
    if (result.success) return;
    const fields = result.error.issues.map(({ path, message }) => ({
      field: path.join('.'),
      message,
    }));
    return c.json({ error: 'The body is not valid; is it sent as application/json?', fields }, 400);
  });
}

/** Malformed JSON is an HTTPException, too. */
export function answerError(error: Error, c: Context): Response {
  if (error instanceof HTTPException) return c.json({ error: error.message }, error.status);
  console.error(error);
  return c.json({ error: 'Internal Server Error' }, 500);
}
