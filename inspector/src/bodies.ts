import { diag } from '@opentelemetry/api';
import { BodyRecording, type Recorder } from './body-recording.ts';
import { Instrument } from './instrument.ts';
import { observeResponses } from './response-body.ts';
import type { ServerSpan } from './server-span.ts';
import { describeRule, type TransformRule, Transforms } from './transforms.ts';

export interface BodiesOptions {
  /** How many bytes of a body's UTF-8 text are recorded. Default: 10,240. */
  limitBytes?: number;
  /** Names of headers that are recorded, of requests and of responses. Default: none. */
  headers?: string[];
  /** What is hidden before it is recorded. */
  transforms?: TransformRule[];
}

/** How long a flush waits for bodies that are still streamed. Then it records what has come so far. */
const flushPatienceMs = 5_000;

/** Records bodies and headers on SERVER spans. It is active from the start only if the option `bodies` is given. */
export class BodiesInstrument extends Instrument {
  private readonly recorder: Recorder;

  /** @throws if `limitBytes`, the name of a header or a transform rule is wrong, with the reason */
  constructor(options: BodiesOptions | undefined) {
    super(options !== undefined);
    const { limitBytes = 10_240, headers = [], transforms = [] } = options ?? {};
    if (!Number.isSafeInteger(limitBytes) || limitBytes < 0)
      throw new Error(`limitBytes must be a whole number, 0 or more, but is ${limitBytes}`);
    for (const name of headers) new Headers().has(name); // It throws here, and not in each request.
    this.recorder = {
      limitBytes,
      headers: headers.map((name) => name.toLowerCase()),
      transforms: new Transforms(transforms),
      unfinished: new Set(),
      recorded: 0,
      transformed: 0,
    };
  }

  /** `recorded`: bodies whose text was recorded. `transformed`: bodies and headers that a rule changed or dropped. */
  get counts(): { readonly recorded: number; readonly transformed: number } {
    const { recorded, transformed } = this.recorder;
    return { recorded, transformed };
  }

  /** Transform rules that have hidden nothing so far. They may be misspelt. */
  get unmatchedRules(): readonly TransformRule[] {
    return this.recorder.transforms.unmatched;
  }

  /** Starts to record what the handler reads of `request`. `span` is not exported before the recording is complete. */
  record(request: Request, span: ServerSpan): BodyRecording {
    observeResponses();
    return new BodyRecording(this.recorder, request, span);
  }

  /** True while a span has ended whose bodies are still being read. */
  get isWaiting(): boolean {
    return this.recorder.unfinished.size > 0;
  }

  /** Resolves when what is being recorded now is complete, after 5 s at most. */
  async flush(): Promise<void> {
    const { unfinished } = this.recorder;
    const waiting = [...unfinished];
    const deadline = performance.now() + flushPatienceMs;
    while (waiting.some((recording) => unfinished.has(recording)) && performance.now() < deadline) {
      await Bun.sleep(1);
    }
    for (const recording of waiting) if (unfinished.delete(recording)) recording.complete();
  }

  warnOfUnmatchedRules(): void {
    const { unmatchedRules } = this;
    if (unmatchedRules.length === 0) return;
    diag.warn(`Transform rules that never matched: ${unmatchedRules.map(describeRule).join('; ')}`);
  }
}
