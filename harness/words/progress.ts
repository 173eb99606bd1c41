import { SingleBar } from 'cli-progress';
import { mean, sum } from 'simple-statistics';

/** One of the planned steps. Those of a kind take about as long. */
export interface ProgressStep {
  kind: string;
  /** What a step takes before one of its kind has ended. */
  seconds: number;
}

/**
 * Tells what runs, and how long the rest takes. Disposing of it takes whatever is drawn off the
 * screen.
 */
export interface Progress extends Disposable {
  /** Says that a step begins: the next of that kind, or without a kind one that was not planned. */
  readonly step: (name: string, kind?: string) => void;
  /** Says how many more steps of this kind are likely, and what each takes before one has ended. */
  readonly expect: (kind: string, count: number, seconds: number) => void;
}

/**
 * Returns a progress that is shown on stderr: as a bar on a terminal, else in lines.
 * @param atMostSeconds after which it ends, whatever is planned
 */
export function createProgress(
  planned: ProgressStep[] = [],
  stream: NodeJS.WriteStream = process.stderr,
  atMostSeconds = Number.POSITIVE_INFINITY,
): Progress {
  const remaining = new RemainingTime(planned, atMostSeconds);
  // It draws on terminals alone.
  const bar = new SingleBar({
    format: '{bar} {label}',
    stream,
    hideCursor: true,
    clearOnComplete: true,
    barsize: 20,
  });
  bar.start(1, 0, { label: 'starting' });
  const show = (name: string) => {
    const { doneSeconds, leftSeconds } = remaining;
    const label = leftSeconds === 0 ? name : `${name}; ${asDuration(leftSeconds)} left`;
    bar.setTotal(doneSeconds + leftSeconds || 1);
    bar.update(doneSeconds, { label });
    if (!stream.isTTY) stream.write(`${label}\n`);
  };
  return {
    step: (name, kind) => {
      remaining.endStep();
      show(name);
      if (kind !== undefined) remaining.beginStep(kind);
    },
    expect: (kind, count, seconds) => remaining.expect(kind, count, seconds),
    [Symbol.dispose]: () => bar.stop(),
  };
}

/** How long planned steps take: what was expected, until one of their kind has ended. */
class RemainingTime {
  private left: ProgressStep[];
  private readonly secondsTaken = new Map<string, number[]>();
  private current: { kind: string; startMs: number } | undefined;

  private readonly endMs: number;

  constructor(planned: ProgressStep[], atMostSeconds: number) {
    this.left = [...planned];
    this.endMs = performance.now() + atMostSeconds * 1_000;
  }

  /** Of steps that have ended. */
  get doneSeconds(): number {
    return sum([...this.secondsTaken.values()].flat());
  }

  /** Of steps that have not begun. */
  get leftSeconds(): number {
    const stepsSeconds = sum(
      this.left.map(({ kind, seconds }) => mean(this.secondsTaken.get(kind) ?? [seconds])),
    );
    const secondsToEnd = Math.max(0, (this.endMs - performance.now()) / 1_000);
    return Math.min(stepsSeconds, secondsToEnd);
  }

  beginStep(kind: string): void {
    this.current = { kind, startMs: performance.now() };
    this.drop(kind);
  }

  endStep(): void {
    if (!this.current) return;
    const { kind, startMs } = this.current;
    const seconds = (performance.now() - startMs) / 1_000;
    this.secondsTaken.set(kind, [...(this.secondsTaken.get(kind) ?? []), seconds]);
    this.current = undefined;
  }

  expect(kind: string, count: number, seconds: number): void {
    const others = this.left.filter((step) => step.kind !== kind);
    this.left = [...others, ...Array<ProgressStep>(count).fill({ kind, seconds })];
  }

  /** Takes the next step of this kind out of the plan. */
  drop(kind: string): void {
    const at = this.left.findIndex((step) => step.kind === kind);
    if (at >= 0) this.left.splice(at, 1);
  }
}

/** Returns a length of time for people: `45 s`, `2.5 min`, `18 min`. */
export function asDuration(seconds: number): string {
  return seconds < 90
    ? `${Math.round(Math.max(0, seconds))} s`
    : `${Number((seconds / 60).toPrecision(2))} min`;
}
