import { SingleBar } from 'cli-progress';

export type Progress = ReturnType<typeof createProgress>;

/**
 * Tells on stderr what runs, and how long the rest takes: a bar on a terminal, else lines. `plannedSeconds`: what all steps
 * take, about; the time that the first have taken corrects it.
 */
export function createProgress(plannedSeconds = 0, stream: NodeJS.WriteStream = process.stderr) {
  // It draws on terminals alone.
  const bar = new SingleBar({ format: '{bar} {label}', stream, hideCursor: true, clearOnComplete: true, barsize: 20 });
  bar.start(1, 0, { label: 'starting' });
  const startMs = performance.now();
  let [leftSeconds, begunSeconds] = [plannedSeconds, 0];
  return {
    /** A step begins that takes so long, about; without a time, one that is no part of the plan. */
    step(name: string, seconds = 0) {
      const takenSeconds = (performance.now() - startMs) / 1_000;
      const left = leftSeconds * (begunSeconds > 0 ? takenSeconds / begunSeconds : 1);
      leftSeconds -= seconds;
      begunSeconds += seconds;
      const label = left === 0 ? name : `${name}; ${asDuration(left)} left`;
      bar.setTotal(takenSeconds + left || 1);
      bar.update(takenSeconds, { label });
      if (!stream.isTTY) stream.write(`${label}\n`);
    },
    /** A step of the plan is not needed. */
    skip(seconds: number) {
      leftSeconds -= seconds;
    },
    /** Takes whatever is drawn off the screen. */
    [Symbol.dispose]: () => bar.stop(),
  };
}

/** A length of time for people: `45 s`, `2.5 min`, `18 min`. */
export function asDuration(seconds: number): string {
  return seconds < 90 ? `${Math.round(Math.max(0, seconds))} s` : `${Number((seconds / 60).toPrecision(2))} min`;
}
