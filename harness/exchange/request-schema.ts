import { z } from 'zod';

/** An HTTP request as load tools can send it. */
export interface Request {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** The path with its query, percent-encoded where a request line needs it. */
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** The file that has the body, in place of `body`. */
  bodyFile?: string | undefined;
  /** Whether the body is sent in chunks, without a length, if the load tool can. */
  chunked: boolean;
}

/** What a server must answer before it is measured. */
export interface Answer {
  status: number;
  /** The exact text of the body; left out, the body is not compared. */
  body?: string | undefined;
  /** Media type without parameters, such as `text/plain`; left out, it is not compared. */
  mediaType?: string | undefined;
  /** Headers that must be there with these values. */
  headers: Record<string, string>;
}

/** A request, and the answer that must come back. */
export interface RequestAndAnswer {
  request: Request;
  answer: Answer;
}

/**
 * Returns the path in percent-encoding (RFC 3986). A `#` is encoded, too, since no request has a
 * fragment.
 */
function percentEncode(path: string): string {
  const notAllowed = /%(?![0-9a-f]{2})|[^\w!$%&'()*+,./:;=?@~-]+/giu;
  return path.toWellFormed().replace(notAllowed, encodeURIComponent);
}

/** Headers that every client sends alike. */
const headersSchema = z
  .record(
    z.string().regex(/^(?!(content-length|transfer-encoding)$)[\w!#$%&'*+.^`|~-]+$/i),
    z.string().regex(/^[\t\x20-\x7e]*$/, 'may have printable ASCII only'),
    'takes names of headers, and must leave the length to "body" and "chunked"',
  )
  .default({});

/** A request as a suite file writes it. */
export const requestSchema = z
  .strictObject({
    method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']).default('GET'),
    /**
     * The path with its query. Spaces and brackets are encoded here, once; what is `%20` already
     * stays.
     */
    path: z.string().startsWith('/').default('/').transform(percentEncode),
    headers: headersSchema,
    /** A body of any length: one that is too long for a command line is put into a file. */
    body: z.string().optional(),
    /** In place of `body`: a file, relative to the suite file. */
    bodyFile: z.string().optional(),
    /** Sends the body chunked, without a length, if the load tool can. */
    chunked: z.boolean().default(false),
  })
  .refine(({ body, bodyFile }) => body === undefined || bodyFile === undefined, {
    message: 'has a body and a bodyFile: give one of them',
  }) satisfies z.ZodType<Request>;

/**
 * An answer as a suite file writes it. Its status is 2xx: a load tool takes any other for a
 * failure.
 */
export const answerSchema = z.strictObject({
  status: z.int().min(200).max(299).default(200),
  /** The exact text of the body; left out, the body is not compared. */
  body: z.string().optional(),
  /** Media type without parameters, such as `text/plain`; left out, it is not compared. */
  mediaType: z.string().optional(),
  /** Headers that must be there with these values. */
  headers: z.record(z.string(), z.string()).default({}),
}) satisfies z.ZodType<Answer>;
