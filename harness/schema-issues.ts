import type { ZodError } from 'zod';

/** What does not fit, as one line: `scenarios[0].command: expected array, received string; …`. */
export function describeIssues(error: ZodError): string {
  return error.issues.map((issue) => `${fieldName(issue.path)}: ${issue.message}`).join('; ');
}

function fieldName(path: PropertyKey[]): string {
  if (path.length === 0) return 'the whole';
  return path
    .reduce<string>(
      (name, key) => (typeof key === 'number' ? `${name}[${key}]` : `${name}.${String(key)}`),
      '',
    )
    .replace(/^\./, '');
}
