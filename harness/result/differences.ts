/** Each value that differs between two trees of data: `environment.cores was 2, and is 4`. */
export function differences(path: string, before: unknown, now: unknown): string[] {
  if (isTree(before) && isTree(now)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(now)]);
    return [...keys].flatMap((key) =>
      differences(path ? `${path}.${key}` : key, before[key], now[key]),
    );
  }
  const [old, current] = [before, now].map((value) => JSON.stringify(value) ?? 'nothing');
  return old === current ? [] : [`${path} was ${old}, and is ${current}`];
}

const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
