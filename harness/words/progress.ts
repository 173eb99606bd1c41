import { SingleBar } from 'cli-progress';
import { mean, sum } from 'simple-statistics';

export type Progress = ReturnType<typeof createProgress>;

/** One of the steps whose time is told: those of a kind take about as long. `seconds`: what it takes before one is known. */
export interface Step {
  kind: string;
  seconds: number;
}

/** Tells on stderr what runs, and how long the rest takes: a bar on a terminal, else lines. `planned` may shrink meanwhile. */
export function createProgress(planned: Step[] = [], stream: NodeJS.WriteStream = process.stderr) {
  // It draws on terminals alone.
  const bar = new SingleBar({ format: '{bar} {label}', stream, hideCursor: true, clearOnComplete: true, barsize: 20 });
  bar.start(1, 0, { label: 'starting' });
  const taken = new Map<string, number[]>();
  let begun = 0;
  let current: (Step & { atMs: number }) | undefined;
  let doneSeconds = 0;
  const expected = ({ kind, seconds }: Step) => mean(taken.get(kind) ?? [seconds]);
  return {
    /** A step begins: the next that is planned, or one that is no part of the plan. */
    step(name: string, isPlanned = false) {
      if (current) {
        const seconds = (performance.now() - current.atMs) / 1_000;
        taken.set(current.kind, [...(taken.get(current.kind) ?? []), seconds]);
        doneSeconds += seconds;
      }
      const left = sum(planned.slice(begun).map(expected));
      const next = isPlanned ? planned[begun++] : undefined;
      current = next && { ...next, atMs: performance.now() };
      const label = left === 0 ? name : `${name}; ${asDuration(left)} left`;
      bar.setTotal(doneSeconds + left || 1);
      bar.update(doneSeconds, { label });
      if (!stream.isTTY) stream.write(`${label}\n`);
    },
    /** Takes whatever is drawn off the screen. */
    [Symbol.dispose]: () => bar.stop(),
  };
}

/** A length of time for people: `45 s`, `2.5 min`, `18 min`. */
export function asDuration(seconds: number): string {
  return seconds < 90 ? `${Math.round(Math.max(0, seconds))} s` : `${Number((seconds / 60).toPrecision(2))} min`;
}
