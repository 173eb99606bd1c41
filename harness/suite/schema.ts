import { z } from 'zod';

/** An HTTP request as every load tool can send it: one for the whole measurement. */
export const requestSchema = z.strictObject({
  method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']).default('GET'),
  path: z.string().startsWith('/').default('/'),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.string().optional(),
});

/**
 * What a server must answer before it is measured. Only 2xx: to a load tool anything else is an error, so a
 * measurement of it could not be told from a failure.
 */
export const answerSchema = z.strictObject({
  status: z.int().min(200).max(299).default(200),
  /** The exact text of the body; left out, the body is not compared. */
  body: z.string().optional(),
  /** Media type without parameters, such as `text/plain`; left out, it is not compared. */
  mediaType: z.string().optional(),
});

const attributesSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({});

export const SPAN_KINDS = ['UNSPECIFIED', 'INTERNAL', 'SERVER', 'CLIENT', 'PRODUCER', 'CONSUMER'] as const;

/** A span with those nested in it. Attributes that are not named here may be there too. */
const spanSchema = z.strictObject({
  name: z.string(),
  kind: z.enum(SPAN_KINDS).default('INTERNAL'),
  attributes: attributesSchema,
  get children() {
    return z.array(spanSchema).default([]);
  },
});

/** What a scenario claims to record of each request: proven before it is measured, by receiving it. */
export const telemetrySchema = z.strictObject({
  /** The root of the one trace of each request; left out, there is no span at all. */
  span: spanSchema.optional(),
  /** Metrics that count each request once, by one data point for each set of attributes. No others may arrive. */
  metrics: z.array(z.strictObject({ name: z.string(), attributes: attributesSchema })).default([]),
});

export const scenarioSchema = z.strictObject({
  name: z.string().regex(/^[\w.-]+$/, 'use letters, digits, ".", "_" and "-" only'),
  /** The row's label in the table; the name where left out. */
  title: z.string().min(1).optional(),
  /** The program and its arguments; it must listen on 127.0.0.1 at the port in `PORT`. */
  command: z.array(z.string().min(1)).min(1),
  env: z.record(z.string(), z.string()).default({}),
  /** Left out, nothing is proven, and the report says so. */
  telemetry: telemetrySchema.optional(),
});

export const suiteSchema = z
  .strictObject({
    name: z.string().regex(/^[\w.-]+$/, 'use letters, digits, ".", "_" and "-" only'),
    title: z.string().min(1).optional(),
    /** The folder in which the commands run, relative to the suite file. */
    cwd: z.string().default('.'),
    request: requestSchema.prefault({}),
    answer: answerSchema.prefault({}),
    baseline: z.string(),
    scenarios: z.array(scenarioSchema).min(1),
  })
  .superRefine((suite, context) => {
    const names = suite.scenarios.map((scenario) => scenario.name);
    for (const name of new Set(names.filter((each, index) => names.indexOf(each) !== index))) {
      context.addIssue({ code: 'custom', path: ['scenarios'], message: `"${name}" is there twice` });
    }
    if (!names.includes(suite.baseline)) {
      const message = `"${suite.baseline}" is none of the scenarios (${names.join(', ')})`;
      context.addIssue({ code: 'custom', path: ['baseline'], message });
    }
  });

/** What a suite file exports: the defaults may be left out. */
export type SuiteInput = z.input<typeof suiteSchema>;
export type Suite = z.output<typeof suiteSchema>;
export type Scenario = z.output<typeof scenarioSchema>;
export type Telemetry = z.output<typeof telemetrySchema>;
export type ExpectedSpan = z.output<typeof spanSchema>;
export type Request = z.output<typeof requestSchema>;
export type Answer = z.output<typeof answerSchema>;

/** How many spans a request leaves, by what the scenario claims. */
export function spansPerRequest({ span }: Telemetry): number {
  const count = (each: ExpectedSpan): number => each.children.reduce((sum, child) => sum + count(child), 1);
  return span ? count(span) : 0;
}
