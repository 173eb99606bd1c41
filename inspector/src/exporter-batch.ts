import { ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { SpanBatch } from './span-processor.ts';

const exportTimeoutMs = 30_000;

/** Spans for an exporter of the SDK's kind. */
export class ExporterBatch implements SpanBatch {
  private readonly spans: ReadableSpan[] = [];

  constructor(
    private readonly exporter: SpanExporter,
    private readonly size: number,
  ) {}

  get count(): number {
    return this.spans.length;
  }

  get isWhole(): boolean {
    return this.spans.length >= this.size;
  }

  add(span: ReadableSpan): void {
    this.spans.push(span);
  }

  async export(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timeout = setTimeout(() => reject(new Error('timed out')), exportTimeoutMs);
    try {
      this.exporter.export(this.spans, ({ code, error }) => {
        if (code === ExportResultCode.SUCCESS) resolve();
        else reject(error);
      });
      await promise;
    } finally {
      clearTimeout(timeout);
    }
  }
}

/** Spans that nobody wants. They are counted as exported. */
export class NoBatch implements SpanBatch {
  count = 0;

  get isWhole(): boolean {
    return this.count >= 512;
  }

  add(): void {
    this.count++;
  }

  async export(): Promise<void> {}
}
