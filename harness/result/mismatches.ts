/**
 * Returns each value that differs between two trees of data: `environment.cores was 2, and is 4`.
 */
export function mismatches(path: string, before: unknown, now: unknown): string[] {
  if (isTree(before) && isTree(now)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(now)]);
    return [...keys].flatMap((key) =>
      mismatches(path ? `${path}.${key}` : key, before[key], now[key]),
    );
  }
  const old = asText(before);
  const current = asText(now);
  return old === current ? [] : [`${path} was ${old}, and is ${current}`];
}

function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function asText(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}
