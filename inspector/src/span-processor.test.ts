import { describe, expect, jest, test } from 'bun:test';
import { ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import { Inspector } from './index.ts';
import type { RecordingSpan } from './span.ts';
import { type SpanBatch, SpanProcessor } from './span-processor.ts';

type Done = Parameters<SpanExporter['export']>[1];

/** Holds each export until the test completes it. */
class HeldExporter implements SpanExporter {
  readonly held: { spans: ReadableSpan[]; done: Done }[] = [];
  isClosed = false;

  export(spans: ReadableSpan[], done: Done): void {
    this.held.push({ spans, done });
  }

  async shutdown(): Promise<void> {
    this.isClosed = true;
  }
}

const success = { code: ExportResultCode.SUCCESS };

function record(inspector: Inspector, count: number): void {
  for (let i = 0; i < count; i++) inspector.instruments.traces.trace('span', () => {});
}

describe('counts', () => {
  test('by default every span is taken and counted', async () => {
    const inspector = new Inspector();
    record(inspector, 1000);
    expect(inspector.instruments.traces.counts).toMatchObject({ started: 1000, dropped: 0 });
    await inspector.flush();
    expect(inspector.instruments.traces.counts).toEqual({ started: 1000, exported: 1000, dropped: 0 });
  });

  test('memory is bounded: what exceeds the capacity is dropped, one batch is in flight at a time', async () => {
    const spanExporter = new HeldExporter();
    const inspector = new Inspector({ spanExporter, spanCapacity: 100 });
    const { traces } = inspector.instruments;
    record(inspector, 100);
    await Bun.sleep(0);
    record(inspector, 150); // 100 in flight, 100 waiting, 50 too many
    expect(spanExporter.held).toHaveLength(1);
    expect(traces.counts).toEqual({ started: 250, exported: 0, dropped: 50 });
    const flushed = inspector.flush();
    spanExporter.held[0]?.done(success);
    await Bun.sleep(0);
    expect(spanExporter.held).toHaveLength(2);
    expect(traces.counts).toEqual({ started: 250, exported: 100, dropped: 50 });
    spanExporter.held[1]?.done(success);
    await flushed;
    expect(traces.counts).toEqual({ started: 250, exported: 200, dropped: 50 });
  });

  test('an exporter that fails or throws costs its spans, and nothing else', async () => {
    let calls = 0;
    const spanExporter: SpanExporter = {
      export(_spans, done) {
        if (calls++ === 0) throw new Error('broken');
        done({ code: ExportResultCode.FAILED });
      },
      shutdown: async () => {},
    };
    const inspector = new Inspector({ spanExporter });
    record(inspector, 3);
    await inspector.flush();
    record(inspector, 2);
    await inspector.flush();
    expect(inspector.instruments.traces.counts).toEqual({ started: 5, exported: 0, dropped: 5 });
  });

  test("an exporter's own spans are not recorded: they would have to be exported, too", async () => {
    const inspector = new Inspector({
      spanExporter: {
        async export(_spans, done) {
          await Bun.sleep(0);
          record(inspector, 1);
          done(success);
        },
        shutdown: async () => {},
      },
    });
    record(inspector, 1);
    await inspector.flush();
    await inspector.flush();
    expect(inspector.instruments.traces.counts).toEqual({ started: 1, exported: 1, dropped: 0 });
  });

  test('a receiver that is down holds a shutdown up once, not for each batch', async () => {
    const { promise, reject } = Promise.withResolvers<void>();
    let exports = 0;
    class Stuck implements SpanBatch {
      readonly isWhole = true;
      add() {}
      export() {
        exports++;
        return promise;
      }
    }
    const processor = new SpanProcessor(() => new Stuck(), { spans: 10, batches: 10, delayMs: 1_000 });
    for (let span = 0; span < 3; span++) {
      processor.onStart();
      processor.onEnd({} as RecordingSpan);
    }
    jest.useFakeTimers();
    const stopped = processor.shutdown();
    jest.advanceTimersByTime(10_000);
    jest.useRealTimers();
    await stopped;
    reject(new Error('down'));
    await Bun.sleep(0);
    expect(processor.counts).toEqual({ started: 3, exported: 0, dropped: 3 });
    expect(exports).toBe(1);
  });

  test('shutdown waits for what is in flight, closes once, and drops what comes later', async () => {
    const spanExporter = new HeldExporter();
    const inspector = new Inspector({ spanExporter });
    record(inspector, 2);
    const stopped = inspector.shutdown();
    expect(inspector.shutdown()).toBe(stopped);
    record(inspector, 1);
    await Bun.sleep(0);
    expect(spanExporter.isClosed).toBe(false);
    spanExporter.held[0]?.done(success);
    await stopped;
    expect(spanExporter.isClosed).toBe(true);
    expect(inspector.instruments.traces.counts).toEqual({ started: 3, exported: 2, dropped: 1 });
  });
});
