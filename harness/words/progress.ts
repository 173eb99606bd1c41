import { SingleBar } from 'cli-progress';
import { mean, sum } from 'simple-statistics';

export type Progress = ReturnType<typeof createProgress>;

/** One of the steps whose time is told: those of a kind take about as long. `seconds`: what it takes before one is known. */
export interface ProgressStep {
  kind: string;
  seconds: number;
}

/** Tells on stderr what runs, and how long the rest takes: a bar on a terminal, else lines. */
export function createProgress(
  planned: ProgressStep[] = [],
  stream: NodeJS.WriteStream = process.stderr,
) {
  // It draws on terminals alone.
  const bar = new SingleBar({
    format: '{bar} {label}',
    stream,
    hideCursor: true,
    clearOnComplete: true,
    barsize: 20,
  });
  bar.start(1, 0, { label: 'starting' });
  const left = [...planned];
  const taken = new Map<string, number[]>();
  let current: { kind: string; atMs: number } | undefined;
  const expected = ({ kind, seconds }: ProgressStep) => mean(taken.get(kind) ?? [seconds]);
  const drop = (kind: string) => {
    const at = left.findIndex((each) => each.kind === kind);
    if (at >= 0) left.splice(at, 1);
  };
  return {
    /** A step begins: the next of that kind, or one that is no part of the plan. */
    step(name: string, kind?: string) {
      const atMs = performance.now();
      if (current)
        taken.set(current.kind, [
          ...(taken.get(current.kind) ?? []),
          (atMs - current.atMs) / 1_000,
        ]);
      const leftSeconds = sum(left.map(expected));
      current = kind === undefined ? undefined : { kind, atMs };
      if (kind !== undefined) drop(kind);
      const label = leftSeconds === 0 ? name : `${name}; ${asDuration(leftSeconds)} left`;
      const doneSeconds = sum([...taken.values()].flat());
      bar.setTotal(doneSeconds + leftSeconds || 1);
      bar.update(doneSeconds, { label });
      if (!stream.isTTY) stream.write(`${label}\n`);
    },
    /** A step of this kind is not needed. */
    skip: drop,
    /** Takes whatever is drawn off the screen. */
    [Symbol.dispose]: () => bar.stop(),
  };
}

/** A length of time for people: `45 s`, `2.5 min`, `18 min`. */
export function asDuration(seconds: number): string {
  return seconds < 90
    ? `${Math.round(Math.max(0, seconds))} s`
    : `${Number((seconds / 60).toPrecision(2))} min`;
}
