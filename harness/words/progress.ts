import { SingleBar } from 'cli-progress';

export type Progress = ReturnType<typeof createProgress>;

/**
 * Tells on stderr what runs now and how long the rest takes: a bar on a terminal, else a line for each step. `planned`: how
 * long all of it takes, in seconds, which may change; 0 if nobody knows. Corrected by how long the steps so far took.
 */
export function createProgress(planned = () => 0, stream: NodeJS.WriteStream = process.stderr) {
  // It draws on terminals alone.
  const bar = new SingleBar({ format: '{bar} {label}', stream, hideCursor: true, clearOnComplete: true, barsize: 20 });
  bar.start(planned(), 0, { label: 'starting' });
  let begunAtMs = 0;
  /** Planned seconds, of the steps before this one and with it. */
  let [done, next] = [0, 0];
  return {
    /** A step begins that is planned to take so many seconds: none if it is no part of the plan. */
    step(name: string, seconds = 0) {
      [done, next] = [next, next + seconds];
      if (done === 0) begunAtMs = performance.now();
      const pace = done === 0 ? 1 : (performance.now() - begunAtMs) / 1_000 / done;
      const label = planned() === 0 ? name : `${name}; ${asDuration((planned() - done) * pace)} left`;
      bar.setTotal(planned());
      bar.update(done, { label });
      if (!stream.isTTY) stream.write(`${label}\n`);
    },
    /** Takes whatever is drawn off the screen. */
    [Symbol.dispose]: () => bar.stop(),
  };
}

/** A length of time for people: `45 s`, `8 min`. */
export function asDuration(seconds: number): string {
  return seconds < 90 ? `${Math.round(Math.max(0, seconds))} s` : `${Math.round(seconds / 60)} min`;
}
