import { SingleBar } from 'cli-progress';

const REFRESH_MS = 1_000;
/** So many planned seconds say as much as the plan itself of how fast things go here. */
const TRUST_SECONDS = 60;

export type Progress = ReturnType<typeof createProgress>;

/**
 * Tells on stderr what runs now and how long the rest takes, from how long the steps before took: a bar on a terminal, else a
 * line for each step. `planned`: how long all of it takes, in seconds, which may change; 0 if nobody knows.
 */
export function createProgress(planned = () => 0, stream: NodeJS.WriteStream = process.stderr) {
  // It draws on terminals alone.
  const bar = new SingleBar({ format: '{bar} {label}', stream, hideCursor: true, clearOnComplete: true, barsize: 20 });
  // Planned seconds at which the step begins and ends, and when it really began.
  let current = { label: 'starting', from: 0, to: 0, startedAtMs: 0 };
  /** What the steps before really took; of those alone that had a plan. */
  let tookSeconds = 0;
  const sinceStart = () => (performance.now() - current.startedAtMs) / 1_000;
  const label = (done: number) => {
    if (planned() === 0) return current.label;
    const pace = (TRUST_SECONDS + tookSeconds) / (TRUST_SECONDS + current.from);
    return `${current.label}; ${asDuration((planned() - done) * pace)} left`;
  };
  const draw = () => {
    const done = Math.min(current.from + sinceStart(), current.to, planned());
    bar.setTotal(planned());
    bar.update(done, { label: label(done) });
  };
  bar.start(planned(), 0, { label: label(0) });
  const timer = setInterval(draw, REFRESH_MS);
  return {
    /** A step begins that is planned to take so many seconds: none if it is no part of the plan. */
    step(name: string, seconds = 0) {
      if (current.to > current.from) tookSeconds += sinceStart();
      current = { label: name, from: current.to, to: current.to + seconds, startedAtMs: performance.now() };
      draw();
      if (!stream.isTTY) stream.write(`${label(current.from)}\n`);
    },
    /** Takes whatever is drawn off the screen. */
    [Symbol.dispose]() {
      clearInterval(timer);
      bar.stop();
    },
  };
}

/** A length of time for people: `45 s`, `8 min`. */
export function asDuration(seconds: number): string {
  return seconds < 90 ? `${Math.round(Math.max(0, seconds))} s` : `${Math.round(seconds / 60)} min`;
}
