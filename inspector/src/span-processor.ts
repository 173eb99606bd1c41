import { diag } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter, SpanProcessor } from './sdk.ts';

const exportTimeoutMs = 30_000;

/**
 * Hands ended spans to an exporter in batches, one batch at a time. At most `capacity` spans wait; what comes on top,
 * fails to be exported, or comes after the shutdown is dropped and counted.
 */
export class BoundedSpanProcessor implements SpanProcessor {
  exported = 0;
  dropped = 0;
  private readonly batchSize: number;
  private waiting: ReadableSpan[] = [];
  private accepted = 0;
  private settled = 0;
  private inFlight: Promise<void> | undefined;
  private timer: Timer | undefined;
  private closed: Promise<void> | undefined;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly capacity = 2048,
    private readonly exportDelayMs = 5_000,
    batchSize = 512,
  ) {
    this.batchSize = Math.min(batchSize, capacity);
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if (this.closed !== undefined || this.waiting.length >= this.capacity) {
      this.dropped++;
      return;
    }
    this.accepted++;
    this.waiting.push(span);
    this.schedule();
  }

  /** Resolves when every span that ended before the call was exported or dropped. Never rejects for the exporter's sake. */
  async forceFlush(): Promise<void> {
    await this.drain();
    await this.exporter.forceFlush?.();
  }

  /** Flushes, then closes the exporter. Calling it again gives the same promise. */
  shutdown(): Promise<void> {
    this.closed ??= this.close();
    return this.closed;
  }

  private async close(): Promise<void> {
    clearTimeout(this.timer);
    await this.drain();
    await this.exporter.shutdown();
  }

  private async drain(): Promise<void> {
    const goal = this.accepted;
    while (this.settled < goal) {
      this.exportNext();
      await this.inFlight;
    }
  }

  private schedule(): void {
    if (this.waiting.length >= this.batchSize) this.exportNext();
    else if (this.waiting.length > 0 && this.timer === undefined) this.startTimer();
  }

  private startTimer(): void {
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.exportNext();
    }, this.exportDelayMs);
    this.timer.unref();
  }

  private exportNext(): void {
    if (this.inFlight !== undefined || this.waiting.length === 0) return;
    const batch = this.takeBatch();
    this.inFlight = this.export(batch).then((isExported) => {
      if (isExported) this.exported += batch.length;
      else this.dropped += batch.length;
      this.settled += batch.length;
      this.inFlight = undefined;
      this.schedule();
    });
  }

  private takeBatch(): ReadableSpan[] {
    if (this.waiting.length > this.batchSize) return this.waiting.splice(0, this.batchSize);
    const batch = this.waiting;
    this.waiting = [];
    return batch;
  }

  private export(batch: ReadableSpan[]): Promise<boolean> {
    return new Promise((resolve) => {
      const timeout = setTimeout(() => settle(false, new Error('timed out')), exportTimeoutMs);
      const settle = (isExported: boolean, error?: unknown) => {
        clearTimeout(timeout);
        if (!isExported) diag.error(`Export of ${batch.length} spans failed`, error);
        resolve(isExported);
      };
      try {
        this.exporter.export(batch, ({ code, error }) => settle(code === ExportResultCode.SUCCESS, error));
      } catch (error) {
        settle(false, error);
      }
    });
  }
}

/** Takes spans and lets them go; the processor counts them. */
export class DiscardingSpanExporter implements SpanExporter {
  export(_spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]): void {
    done({ code: ExportResultCode.SUCCESS });
  }

  async shutdown(): Promise<void> {}
}
