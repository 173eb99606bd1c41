/** Objects of one call, and how many of the latest ones stay alive. */
const OBJECTS = 100;
const ALIVE = 4_096;

const alive: unknown[] = new Array(ALIVE).fill(null);
let position = 0;

/** No computing: objects for the garbage collector. */
export function allocate(): void {
  for (let count = 0; count < OBJECTS; count++) {
    position = (position + 1) % ALIVE;
    alive[position] = { position, text: `${position}`, list: [position, count] };
  }
}
