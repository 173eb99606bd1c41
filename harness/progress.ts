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
  let plannedBefore = 0;
  return {
    step(label, seconds) {
      stream.write(`${label}; ${asDuration(totalSeconds - plannedBefore)} left\n`);
      plannedBefore += seconds;
    },
    end() {},
  };
}

function progressBar(totalSeconds: number, stream: NodeJS.WriteStream): Progress {
  const bar = new SingleBar({
    format: '{bar} {label}; {left} left',
    stream,
    hideCursor: true,
    clearOnComplete: true,
    barsize: 20,
  });
  let plannedBefore = 0;
  let plannedStep = 0;
  let stepStartedAt = performance.now();
  let label = 'starting';
  const draw = () => {
    const elapsed = Math.min((performance.now() - stepStartedAt) / 1_000, plannedStep);
    const done = plannedBefore + elapsed;
    bar.update(Math.min(done, totalSeconds), { label, left: asDuration(totalSeconds - done) });
  };
  bar.start(totalSeconds, 0, { label, left: asDuration(totalSeconds) });
  const timer = setInterval(draw, REFRESH_MS);
  return {
    step(nextLabel, seconds) {
      plannedBefore += plannedStep;
      plannedStep = seconds;
      stepStartedAt = performance.now();
      label = nextLabel;
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
