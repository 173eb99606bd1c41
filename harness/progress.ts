import { SingleBar } from 'cli-progress';

const REFRESH_MS = 1_000;

/** Tells on stderr what runs now and how long the rest takes. */
export interface Progress {
  /** A step begins that is planned to take so many seconds. */
  step(label: string, seconds: number): void;
  /** Takes whatever is drawn off the screen. */
  end(): void;
}

/** A bar on a terminal; else a line for each step. */
export function createProgress(totalSeconds: number, stream: NodeJS.WriteStream = process.stderr): Progress {
  return stream.isTTY ? progressBar(totalSeconds, stream) : progressLines(totalSeconds, stream);
}

function progressLines(totalSeconds: number, stream: NodeJS.WriteStream): Progress {
  let planned = 0;
  return {
    step(label, seconds) {
      stream.write(`${label}; ${asDuration(totalSeconds - planned)} left\n`);
      planned += seconds;
    },
    end() {},
  };
}

function progressBar(totalSeconds: number, stream: NodeJS.WriteStream): Progress {
  const format = '{bar} {label}; {left} left';
  const bar = new SingleBar({ format, stream, hideCursor: true, clearOnComplete: true, barsize: 20 });
  const step = { label: 'starting', seconds: 0, plannedBefore: 0, startedAt: performance.now() };
  const draw = () => {
    const elapsed = Math.min((performance.now() - step.startedAt) / 1_000, step.seconds);
    const done = Math.min(step.plannedBefore + elapsed, totalSeconds);
    bar.update(done, { label: step.label, left: asDuration(totalSeconds - done) });
  };
  bar.start(totalSeconds, 0, { label: step.label, left: asDuration(totalSeconds) });
  const timer = setInterval(draw, REFRESH_MS);
  return {
    step(label, seconds) {
      const plannedBefore = step.plannedBefore + step.seconds;
      Object.assign(step, { label, seconds, plannedBefore, startedAt: performance.now() });
      draw();
    },
    end() {
      clearInterval(timer);
      bar.stop();
    },
  };
}

/** A length of time for people: `45 s`, `8 min`. */
export function asDuration(seconds: number): string {
  return seconds < 90 ? `${Math.round(Math.max(0, seconds))} s` : `${Math.round(seconds / 60)} min`;
}
