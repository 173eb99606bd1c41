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
  // Planned seconds at which the step begins and ends, and when it really began.
  let step = { from: 0, to: 0, startedAtMs: 0 };
  const draw = () => {
    const elapsed = (performance.now() - step.startedAtMs) / 1_000;
    const done = Math.min(step.from + elapsed, step.to, totalSeconds);
    bar.update(done, { left: asDuration(totalSeconds - done) });
  };
  bar.start(totalSeconds, 0, { label: 'starting', left: asDuration(totalSeconds) });
  const timer = setInterval(draw, REFRESH_MS);
  return {
    step(label, seconds) {
      step = { from: step.to, to: step.to + seconds, startedAtMs: performance.now() };
      bar.update({ label });
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
