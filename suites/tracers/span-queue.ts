/** How many spans leave at once, where a suite has no reason for another number. */
const BATCH = 2_048;

/**
 * Returns variables that give OpenTelemetry's SDK a queue for the spans of full load, of which so
 * many leave at once: by default some would be lost, and a server that loses them looks cheaper.
 */
export function largeQueue(batch: number) {
  return {
    OTEL_BSP_MAX_QUEUE_SIZE: '65536',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: String(batch),
  };
}

/** Returns what a remark says of that queue, from the word `queue` on. */
export function largeQueueText(batch: number): string {
  const size = batch.toLocaleString('en-GB');
  return `queue is larger (OTEL_BSP_MAX_QUEUE_SIZE is 65,536, not 2,048), and so are batches (OTEL_BSP_MAX_EXPORT_BATCH_SIZE is ${size}, not 512)`;
}

/**
 * For servers on OpenTelemetry's SDK that export, and what must then be said beside their table.
 */
export const LARGE_QUEUE = largeQueue(BATCH);
export const LARGE_QUEUE_REMARK = `At full load, OpenTelemetry's defaults may lose spans. So here the ${largeQueueText(BATCH)}.`;
