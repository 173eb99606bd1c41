let state = 1;

/**
 * Computes something, xorshift32, that takes time in proportion to the turns: in a package of its
 * own, by calls.
 */
export function spin(turns: number): void {
  let value = state;
  for (let turn = 0; turn < turns; turn++) value = next(value);
  state = value;
}

function next(value: number): number {
  const left = value ^ (value << 13);
  const right = left ^ (left >>> 17);
  return right ^ (right << 5);
}
