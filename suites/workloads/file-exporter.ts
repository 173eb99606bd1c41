import { constants } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type HrTime, SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';

/** Spans that are written at once. */
const sliceSpans = 16;

const { O_WRONLY, O_CREAT, O_NOFOLLOW, O_APPEND, O_TRUNC } = constants;

/** Appends spans to a file, one line of JSON for each, without their links, their resource and their scope. */
export class FileSpanExporter implements SpanExporter {
  private bytes = 0; // of the file
  private lastWrite: Promise<void> = Promise.resolve();

  /**
   * @param path of a new file. Exports fail if there is a symbolic link.
   * @param maxBytes a file of this size is begun anew, so that a long run doesn't fill the disk: nobody reads the file
   */
  constructor(
    private readonly path: string,
    private readonly maxBytes = 64 * 1024 * 1024,
  ) {}

  /** Calls `done` when the spans are written, or with the error if they cannot be written. */
  export(spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]): void {
    this.lastWrite = this.lastWrite
      .then(() => this.write(spans))
      .then(
        () => done({ code: 0 }), // ExportResultCode of @opentelemetry/core: SUCCESS
        (error: Error) => done({ code: 1, error }), // FAILED
      );
  }

  /** Resolves when all spans exported so far are written. */
  shutdown(): Promise<void> {
    return this.lastWrite;
  }

  /** A batch in which bodies are large takes some ms: requests are answered in between. */
  private async write(spans: ReadableSpan[]): Promise<void> {
    for (let at = 0; at < spans.length; at += sliceSpans) {
      await this.append(spans.slice(at, at + sliceSpans));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  private async append(spans: ReadableSpan[]): Promise<void> {
    const lines = spans.map((span) => `${JSON.stringify(plain(span))}\n`).join('');
    const bytes = Buffer.byteLength(lines);
    const isFull = this.bytes + bytes > this.maxBytes;
    // Spans can hold personal data. So only the owner can read the file, and a symbolic link is not followed.
    const flag = O_WRONLY | O_CREAT | O_NOFOLLOW | (isFull ? O_TRUNC : O_APPEND);
    await writeFile(this.path, lines, { mode: 0o600, flag });
    this.bytes = isFull ? bytes : this.bytes + bytes;
  }
}

function plain(span: ReadableSpan): object {
  const { traceId, spanId } = span.spanContext();
  const { status } = span;
  return {
    traceId,
    spanId,
    parentSpanId: span.parentSpanContext?.spanId,
    name: span.name,
    kind: SpanKind[span.kind],
    startTime: toTimestamp(span.startTime),
    endTime: toTimestamp(span.endTime),
    status: { ...status, code: SpanStatusCode[status.code] },
    attributes: span.attributes,
    events: span.events.map((event) => ({ ...event, time: toTimestamp(event.time) })),
  };
}

/** Returns an ISO 8601 time, to the ns. */
function toTimestamp([seconds, nanoseconds]: HrTime): string {
  return new Date(seconds * 1000).toISOString().replace('000Z', `${String(nanoseconds).padStart(9, '0')}Z`);
}
