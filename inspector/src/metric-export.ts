import { diag } from '@opentelemetry/api';
import type { HistogramMetricData } from '@opentelemetry/sdk-metrics';
import { runInScope, untraced } from './context.ts';
import type { MetricsInstrument } from './metrics.ts';
import { beginResource, beginScope, writeAttributes, writeTime } from './otlp-common.ts';
import type { Send } from './otlp-http.ts';
import { ProtobufWriter } from './protobuf-writer.ts';

/**
 * Sends the metrics every so many ms, and when it is flushed. The SDK's reader and serializer do the same, but take 3 MB of
 * a server, and each collection of garbage looks at 4,000 more objects.
 */
export class MetricExport {
  private readonly timer: Timer;

  constructor(
    private readonly metrics: MetricsInstrument,
    private readonly send: Send,
    intervalMs: number,
  ) {
    this.timer = setInterval(() => void this.forceFlush(), intervalMs).unref();
  }

  /** Resolves when what was measured so far was sent. If that fails, the next time sends it, because it is cumulative. */
  async forceFlush(): Promise<void> {
    if (this.metrics.counts.recorded === 0) return;
    try {
      await runInScope(untraced, () => this.send(encode(this.metrics)), undefined);
    } catch (error) {
      diag.error('Export of metrics failed', error);
    }
  }

  /** Flushes for the last time. */
  async shutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.forceFlush();
  }
}

/** An `ExportMetricsServiceRequest` of OTLP 1.x. Field numbers are those of metrics.proto. */
function encode(metrics: MetricsInstrument): Uint8Array<ArrayBuffer> {
  const { descriptor, dataPoints } = metrics.collect();
  const writer = new ProtobufWriter();
  const resourceStart = beginResource(writer);
  const scopeStart = beginScope(writer, metrics.scope);
  const start = writer.open(2);
  writer.text(1, descriptor.name);
  writer.text(2, descriptor.description);
  writer.text(3, descriptor.unit);
  const histogramStart = writer.open(9);
  for (const dataPoint of dataPoints) writeDataPoint(writer, dataPoint);
  writer.integer(2, cumulative);
  for (const message of [histogramStart, start, scopeStart, resourceStart]) writer.close(message);
  return writer.message;
}

/** AGGREGATION_TEMPORALITY_CUMULATIVE. */
const cumulative = 2;

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
