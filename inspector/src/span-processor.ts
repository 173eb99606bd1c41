import { diag } from '@opentelemetry/api';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { RecordingSpan } from './span.ts';

/** Counts of spans that record. `started` = `exported` + `dropped` + those that are open or wait for export. */
export interface SpanCounts {
  readonly started: number;
  readonly exported: number;
  readonly dropped: number;
}

/** Ended spans that leave together. */
export interface SpanBatch {
  readonly count: number;
  /** True if it is large enough to leave. */
  readonly isWhole: boolean;
  /** @throws if the span cannot be taken. The batch is then as it was before. */
  add(span: RecordingSpan): void;
  /** Resolves when the spans were exported. Call it once. */
  export(): Promise<void>;
}

export interface Limits {
  /** How many ended spans may wait. */
  readonly spans: number;
  /** How many whole batches may wait. */
  readonly batches: number;
  /** How long spans wait for their batch to become whole. */
  readonly delayMs: number;
}

/**
 * Exports ended spans in batches, one batch at a time. A span is dropped and counted if too many wait, if its export fails,
 * or if it ends after the shutdown.
 */
export class SpanProcessor {
  private started = 0;
  private exported = 0;
  private dropped = 0;
  private waiting = 0;
  private readonly whole: SpanBatch[] = [];
  private filling: SpanBatch;
  private inFlight: Promise<void> | undefined;
  private timer: Timer | undefined;
  private isClosed = false;

  constructor(
    private readonly createBatch: () => SpanBatch,
    private readonly limits: Limits,
    private readonly exporter?: Pick<SpanExporter, 'forceFlush' | 'shutdown'>,
  ) {
    this.filling = createBatch();
  }

  get counts(): SpanCounts {
    return { started: this.started, exported: this.exported, dropped: this.dropped };
  }

  onStart(): void {
    this.started++;
  }

  onEnd(span: RecordingSpan): void {
    if (this.isClosed || this.isFull || !this.add(span)) {
      this.dropped++;
      return;
    }
    this.waiting++;
    if (this.filling.isWhole) this.closeBatch();
    this.schedule();
  }

  /** Resolves when every span that ended before the call was exported or dropped. A failed export does not reject it. */
  async forceFlush(): Promise<void> {
    await this.drain();
    await this.exporter?.forceFlush?.();
  }

  /** Flushes, then closes the exporter. Call it once. */
  async shutdown(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    await this.drain();
    await this.exporter?.shutdown();
  }

  private async drain(): Promise<void> {
    if (this.filling.count > 0) this.closeBatch();
    const underWay = this.inFlight === undefined ? 0 : 1;
    for (let left = this.whole.length + underWay; left > 0; left--) {
      this.exportNext();
      await this.inFlight;
    }
  }

  private get isFull(): boolean {
    return this.waiting >= this.limits.spans || this.whole.length >= this.limits.batches;
  }

  private add(span: RecordingSpan): boolean {
    try {
      this.filling.add(span);
      return true;
    } catch (error) {
      diag.error(`Span ${span.name} cannot be exported`, error);
      return false;
    }
  }

  private closeBatch(): void {
    this.whole.push(this.filling);
    this.filling = this.createBatch();
  }

  private schedule(): void {
    if (this.whole.length > 0) this.exportNext();
    else if (this.waiting > 0) this.timer ??= setTimeout(this.onTimer, this.limits.delayMs).unref();
  }

  private readonly onTimer = () => {
    this.timer = undefined;
    if (this.filling.count > 0) this.closeBatch();
    this.exportNext();
  };

  private exportNext(): void {
    const batch = this.inFlight === undefined ? this.whole.shift() : undefined;
    if (batch === undefined) return;
    this.waiting -= batch.count;
    this.inFlight = this.export(batch);
  }

  private async export(batch: SpanBatch): Promise<void> {
    const { count } = batch;
    try {
      await batch.export();
      this.exported += count;
    } catch (error) {
      this.dropped += count;
      diag.error(`Export of ${count} spans failed`, error);
    }
    this.inFlight = undefined;
    this.schedule();
  }
}
