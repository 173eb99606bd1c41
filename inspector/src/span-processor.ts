import { diag } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';

const exportTimeoutMs = 30_000;

/** Counts of spans that record. `started` = `exported` + `dropped` + those that are open or wait for export. */
export interface SpanCounts {
  readonly started: number;
  readonly exported: number;
  readonly dropped: number;
}

/**
 * Hands ended spans to an exporter in batches, one batch at a time. At most `capacity` spans wait. A span is dropped and
 * counted if too many wait, if its export fails, or if it ends after the shutdown.
 */
export class BoundedSpanProcessor {
  private started = 0;
  private exported = 0;
  private dropped = 0;
  private readonly batchSize: number;
  private readonly waiting: ReadableSpan[] = [];
  private accepted = 0;
  private settled = 0;
  private inFlight: Promise<void> | undefined;
  private timer: Timer | undefined;
  private isClosed = false;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly capacity = 2048,
    private readonly exportDelayMs = 5_000,
    batchSize = 512,
  ) {
    this.batchSize = Math.min(batchSize, capacity);
  }

  get counts(): SpanCounts {
    return { started: this.started, exported: this.exported, dropped: this.dropped };
  }

  onStart(): void {
    this.started++;
  }

  onEnd(span: ReadableSpan): void {
    if (this.isClosed || this.waiting.length >= this.capacity) {
      this.dropped++;
      return;
    }
    this.accepted++;
    this.waiting.push(span);
    this.schedule();
  }

  /** Resolves when every span that ended before the call was exported or dropped. A failed export does not reject it. */
  async forceFlush(): Promise<void> {
    await this.drain();
    await this.exporter.forceFlush?.();
  }

  /** Flushes, then closes the exporter. Call it once. */
  async shutdown(): Promise<void> {
    this.isClosed = true;
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
    else if (this.waiting.length > 0) this.timer ??= setTimeout(this.onTimer, this.exportDelayMs).unref();
  }

  private readonly onTimer = () => {
    this.timer = undefined;
    this.exportNext();
  };

  private exportNext(): void {
    if (this.inFlight !== undefined || this.waiting.length === 0) return;
    const batch = this.waiting.splice(0, this.batchSize);
    this.inFlight = this.export(batch).then((isExported) => {
      if (isExported) this.exported += batch.length;
      else this.dropped += batch.length;
      this.settled += batch.length;
      this.inFlight = undefined;
      this.schedule();
    });
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

/** Reports success for all spans and keeps none. */
export const discardingExporter: SpanExporter = {
  export: (_, done) => done({ code: ExportResultCode.SUCCESS }),
  shutdown: async () => {},
};
