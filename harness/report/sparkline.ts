const BLOCKS = '▁▂▃▄▅▆▇█';

/** The values as blocks, the smallest the lowest; a dot where there is none, and half height where all are the same. */
export function sparkline(values: (number | undefined)[]): string {
  const known = values.filter((value) => value !== undefined && Number.isFinite(value)) as number[];
  const least = Math.min(...known);
  const range = Math.max(...known) - least;
  return values
    .map((value) => {
      if (value === undefined || !Number.isFinite(value)) return '·';
      return BLOCKS[range > 0 ? Math.round(((value - least) / range) * 7) : 3];
    })
    .join('');
}
