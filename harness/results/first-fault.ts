import { z } from 'zod';

/**
 * The first thing in the data that does not fit the schema, as `scenarios[0].name: …`; undefined where all does. Zod
 * collects every fault, which for a file of millions of wrong values takes more memory than there is.
 */
export function firstFault(schema: z.core.$ZodType, data: unknown, path = ''): string | undefined {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional)
    return data === undefined ? undefined : firstFault(schema.unwrap(), data, path);
  if (schema instanceof z.ZodNullable)
    return data === null ? undefined : firstFault(schema.unwrap(), data, path);
  if (schema instanceof z.ZodArray && Array.isArray(data))
    return firstOf(data.entries(), ([index, each]) => firstFault(schema.element, each, `${path}[${index}]`));
  if (schema instanceof z.ZodObject && typeof data === 'object' && data !== null && !Array.isArray(data))
    return firstOf(Object.keys(schema.shape), (key) =>
      firstFault(
        schema.shape[key],
        (data as Record<string, unknown>)[key],
        path === '' ? key : `${path}.${key}`,
      ),
    );
  const [issue] = z.safeParse(schema, data).error?.issues ?? [];
  return issue && `${path || 'the whole'}: ${issue.message}`;
}

function firstOf<T>(all: Iterable<T>, faultOf: (each: T) => string | undefined): string | undefined {
  for (const each of all) {
    const fault = faultOf(each);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
