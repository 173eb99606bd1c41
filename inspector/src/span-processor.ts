import { diag } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import { scopes, untraced } from './context.ts';
import { callWithTimeout, type ExportResult, ExportResultCode } from './core.ts';
import { ServerSpan } from './server-span.ts';
import type { RecordingSpan } from './span.ts';

/** Counts of spans that record. `started` = `exported` + `dropped` + those that are open or wait for export. */
export interface SpanCounts {
  readonly started: number;
  readonly exported: number;
  readonly dropped: number;
}

/** Ended spans that leave together. */
export interface SpanBatch {
  /** True if it is large enough to leave. */
  readonly isWhole: boolean;
  /** @throws if the span cannot be taken. The batch is then as it was before. */
  add(span: RecordingSpan): void;
  /** Resolves when the spans were exported. Call it once. */
  export(): Promise<void>;
}

interface Limits {
  /** How many ended spans may wait. */
  readonly spans: number;
  /** How many whole batches may wait. */
  readonly batches: number;
  /** How long spans wait for their batch to become whole. */
  readonly delayMs: number;
}

/** Exports ended spans, one batch at a time. Drops and counts what is too much, fails, or ends after the shutdown. */
export class SpanProcessor {
  private started = 0;
  private exported = 0;
  private dropped = 0;
  private waitingSpans = 0;
  private waitingBatches = 0;
  private filling: SpanBatch;
  private fillingSpans = 0;
  /** Settles when every whole batch was exported. */
  private exports = Promise.resolve();
  private readonly timer: Timer;
  private isClosed = false;
  private isGivenUp = false;

  constructor(
    private readonly createBatch: () => SpanBatch,
    private readonly limits: Limits,
    private readonly exporter?: Pick<SpanExporter, 'forceFlush' | 'shutdown'>,
  ) {
    this.filling = createBatch();
    this.timer = setInterval(() => this.closeBatch(), limits.delayMs).unref();
  }

  get counts(): SpanCounts {
    return { started: this.started, exported: this.exported, dropped: this.dropped };
  }

  onStart(): void {
    this.started++;
  }

  onEnd(span: RecordingSpan): void {
    const isFull = this.waitingSpans >= this.limits.spans || this.waitingBatches >= this.limits.batches;
    if (this.isClosed || isFull) {
      this.dropped++;
      return;
    }
    try {
      this.filling.add(span);
      this.fillingSpans++;
      this.waitingSpans++;
    } catch (error) {
      this.dropped++;
      diag.error(`Span ${span.name} cannot be exported`, error);
    }
    if (this.filling.isWhole) this.closeBatch();
  }

  /** Resolves when every span that ended before the call was exported or dropped. A failed export does not reject it. */
  async forceFlush(): Promise<void> {
    this.closeBatch();
    await this.exports;
    await this.exporter?.forceFlush?.();
  }

  /** Flushes, for 10 s at most: each batch may wait for a receiver that is down. Then closes the exporter. Call it once. */
  async shutdown(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.timer);
    this.closeBatch();
    await callWithTimeout(this.exports, 10_000).catch((error) => {
      this.isGivenUp = true;
      diag.error('Spans were lost at the shutdown', error);
    });
    await this.exporter?.shutdown();
  }

  /** Lets the batch leave after those before it. */
  private closeBatch(): void {
    const { filling: batch, fillingSpans: count } = this;
    if (count === 0) return;
    this.filling = this.createBatch();
    this.fillingSpans = 0;
    this.waitingBatches++;
    this.exports = this.exports.then(() => this.export(batch, count));
  }

  private async export(batch: SpanBatch, count: number): Promise<void> {
    this.waitingSpans -= count;
    this.waitingBatches--;
    try {
      if (this.isGivenUp) throw new Error('shut down');
      await scopes.run(untraced, () => batch.export());
      this.exported += count;
    } catch (error) {
      this.dropped += count;
      diag.error(`Export of ${count} spans failed`, error);
    }
  }
}

/** Spans for an exporter of the SDK's kind. */
export class ExporterBatch implements SpanBatch {
  private readonly spans: ReadableSpan[] = [];

  constructor(
    private readonly exporter: SpanExporter,
    private readonly size: number,
  ) {}

  get isWhole(): boolean {
    return this.spans.length >= this.size;
  }

  add(span: ReadableSpan): void {
    if (span instanceof ServerSpan) span.keep();
    this.spans.push(span);
  }

  async export(): Promise<void> {
    const exported = new Promise<ExportResult>((resolve) => this.exporter.export(this.spans, resolve));
    const { code, error } = await callWithTimeout(exported, 30_000);
    if (code !== ExportResultCode.SUCCESS) throw error;
  }
}

/** Takes spans that nobody wants. They are counted as exported. */
export const noBatch: SpanBatch = { isWhole: false, add() {}, async export() {} };
