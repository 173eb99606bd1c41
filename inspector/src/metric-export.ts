import { diag } from '@opentelemetry/api';
import type { HistogramMetricData, MetricProducer, ScopeMetrics } from '@opentelemetry/sdk-metrics';
import { scopes, untraced } from './context.ts';
import { callWithTimeout } from './core.ts';
import { beginResource, beginScope, writeAttributes, writeTime } from './otlp-common.ts';
import type { Send } from './otlp-http.ts';
import { ProtobufWriter } from './protobuf-writer.ts';

/** Sends histograms every so many ms and when flushed, one request at a time. The SDK would add 0.4 MB to the heap. */
export class MetricExport {
  private readonly timer: Timer;
  /** Settles when all exports that were asked for have ended. */
  private exports = Promise.resolve();
  private isWaiting = false;
  private isClosed = false;

  constructor(
    private readonly producer: MetricProducer,
    private readonly send: Send,
    intervalMs: number,
  ) {
    this.timer = setInterval(() => void this.forceFlush(), intervalMs).unref();
  }

  /** Resolves when what was measured so far was sent. If that fails, the next export sends it, because it is cumulative. */
  forceFlush(): Promise<void> {
    // An export that waits for the one before it will send what is measured until then.
    if (!this.isWaiting && !this.isClosed) {
      this.isWaiting = true;
      this.exports = this.exports.then(() => this.export());
    }
    return this.exports;
  }

  /** Flushes for the last time, in 10 s at most. */
  async shutdown(): Promise<void> {
    clearInterval(this.timer);
    const last = this.forceFlush();
    this.isClosed = true;
    await callWithTimeout(last, 10_000).catch((error) => diag.error('Metrics were lost at the shutdown', error));
  }

  private async export(): Promise<void> {
    this.isWaiting = false;
    try {
      const { resourceMetrics } = await this.producer.collect();
      const [measured] = resourceMetrics.scopeMetrics;
      if (measured) await scopes.run(untraced, () => this.send(encode(measured)));
    } catch (error) {
      diag.error('Export of metrics failed', error);
    }
  }
}

/** An `ExportMetricsServiceRequest` of OTLP 1.x. Field numbers are those of metrics.proto. */
function encode({ scope, metrics }: ScopeMetrics): Uint8Array<ArrayBuffer> {
  const writer = new ProtobufWriter();
  const resourceStart = beginResource(writer);
  const scopeStart = beginScope(writer, scope);
  for (const metric of metrics) writeHistogram(writer, metric as HistogramMetricData);
  writer.close(scopeStart);
  writer.close(resourceStart);
  return writer.message;
}

function writeHistogram(writer: ProtobufWriter, { descriptor, dataPoints }: HistogramMetricData): void {
  const start = writer.open(2);
  writer.text(1, descriptor.name);
  writer.text(2, descriptor.description);
  writer.text(3, descriptor.unit);
  const histogramStart = writer.open(9);
  for (const dataPoint of dataPoints) writeDataPoint(writer, dataPoint);
  writer.integer(2, 2); // AGGREGATION_TEMPORALITY_CUMULATIVE
  writer.close(histogramStart);
  writer.close(start);
}

function writeDataPoint(writer: ProtobufWriter, dataPoint: HistogramMetricData['dataPoints'][number]): void {
  const { startTime, endTime, attributes, value } = dataPoint;
  const { count, sum = 0, min = 0, max = 0, buckets } = value;
  const start = writer.open(1);
  writeTime(writer, 2, startTime[0] * 1000, startTime[1] / 1e6);
  writeTime(writer, 3, endTime[0] * 1000, endTime[1] / 1e6);
  writer.fixed64(4, Math.floor(count / 2 ** 32), count);
  writer.double(5, sum);
  writePacked(writer, 6, new BigUint64Array(buckets.counts.map(BigInt)));
  writePacked(writer, 7, new Float64Array(buckets.boundaries));
  writeAttributes(writer, 9, attributes);
  writer.double(11, min);
  writer.double(12, max);
  writer.close(start);
}

/** Numbers of 64 bits, in the byte order of the machine: Bun runs on none whose order is not that of protobuf. */
function writePacked(writer: ProtobufWriter, field: number, numbers: BigUint64Array | Float64Array): void {
  const start = writer.open(field);
  writer.encoded(new Uint8Array(numbers.buffer));
  writer.close(start);
}
