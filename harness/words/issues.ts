import { type ZodError, z } from 'zod';

type Issue = z.core.$ZodRawIssue;

/** What the validator calls the types of data, as people who write JSON call them. */
const TYPES: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/** What must stand there, by what the validator checks. Messages of a schema's own go before. */
const MESSAGES: { [Code in Issue['code']]?: (issue: Extract<Issue, { code: Code }>) => string } = {
  invalid_type: ({ expected, input }) => {
    const type = TYPES[expected] ?? expected;
    return input === undefined ? `is missing: give ${type}` : `must be ${type}`;
  },
  invalid_value: ({ values }) => `must be one of ${values.join(', ')}`,
  invalid_union: ({ errors }) => {
    const each = errors.map((issues) => issuesText({ issues } as ZodError));
    return [...new Set(each)].join(', or ');
  },
  unrecognized_keys: ({ keys }) => `there is no field "${keys.join('", "')}"`,
  too_small: ({ minimum, inclusive, origin }) => {
    if (origin === 'number') return `must be ${inclusive ? 'at least' : 'more than'} ${minimum}`;
    return minimum === 1 ? 'must not be empty' : `must have at least ${minimum} entries`;
  },
  too_big: ({ maximum, inclusive }) => `must be ${inclusive ? 'at most' : 'less than'} ${maximum}`,
};

/** Has a schema say in plain words what is wrong, where it has no message of its own. */
export const PLAINLY: z.core.ParseContext<z.core.$ZodIssue> = {
  reportInput: true,
  error: (issue) => {
    const message = MESSAGES[issue.code] as ((issue: Issue) => string) | undefined;
    return message?.(issue);
  },
};

/** Returns all that is wrong with data, each at its field: `scenarios[1].name: is missing`. */
export function issuesText({ issues }: Pick<ZodError, 'issues'>): string {
  return issues.map(issueText).join('; ');
}

function issueText({ path, message }: ZodError['issues'][number]): string {
  return path.length > 0 ? `${z.core.toDotPath(path)}: ${message}` : message;
}
