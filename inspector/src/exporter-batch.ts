import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import { callWithTimeout, type ExportResult, ExportResultCode } from './core.ts';
import { ServerSpan } from './server-span.ts';
import type { SpanBatch } from './span-processor.ts';

const exportTimeoutMs = 30_000;

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
    const { code, error } = await callWithTimeout(exported, exportTimeoutMs);
    if (code !== ExportResultCode.SUCCESS) throw error;
  }
}

/** Takes spans that nobody wants. They are counted as exported. */
export const noBatch: SpanBatch = { isWhole: false, add() {}, async export() {} };
