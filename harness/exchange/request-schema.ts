import { z } from 'zod';

/** In percent-encoding, where it needs to be (RFC 3986); a `#` stands for itself, since no request has a fragment. */
function encoded(path: string): string {
  const other = /%(?![0-9a-f]{2})|[^\w!$%&'()*+,./:;=?@~-]+/giu;
  return path.toWellFormed().replace(other, encodeURIComponent);
}

/** Headers that every client sends alike. */
const headersSchema = z
  .record(
    z.string().regex(/^(?!(content-length|transfer-encoding)$)[\w!#$%&'*+.^`|~-]+$/i),
    z.string().regex(/^[\t\x20-\x7e]*$/, 'may have printable ASCII only'),
    'takes names of headers, and must leave the length to "body" and "chunked"',
  )
  .default({});

/** An HTTP request as load tools can send it. */
export const requestSchema = z
  .strictObject({
    method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']).default('GET'),
    /** With its query. What no request line may hold is encoded here, once: spaces and brackets, but no `%20`. */
    path: z.string().startsWith('/').default('/').transform(encoded),
    headers: headersSchema,
    /** However long: what is too long for a command line is put into a file. */
    body: z.string().optional(),
    /** In place of `body`: a file, relative to the suite file. */
    bodyFile: z.string().optional(),
    /** Sends the body chunked, without a length, if the load tool can. */
    chunked: z.boolean().default(false),
  })
  .refine(({ body, bodyFile }) => body === undefined || bodyFile === undefined, {
    message: 'has a body and a bodyFile: give one of them',
  });

export type Request = z.output<typeof requestSchema>;

/** What a server must answer before it is measured. Only 2xx: to a load tool anything else is a failure. */
export const answerSchema = z.strictObject({
  status: z.int().min(200).max(299).default(200),
  /** The exact text of the body; left out, the body is not compared. */
  body: z.string().optional(),
  /** Media type without parameters, such as `text/plain`; left out, it is not compared. */
  mediaType: z.string().optional(),
  /** Headers that must be there with these values. */
  headers: z.record(z.string(), z.string()).default({}),
});

export type Answer = z.output<typeof answerSchema>;

/** A request, and the answer that must come back. */
export interface RequestAndAnswer {
  request: Request;
  answer: Answer;
}
