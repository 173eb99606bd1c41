/**
 * Nobody waits longer for what a server has yet to send. OpenTelemetry's batch processors wait 5 s
 * for more spans, and then send what they have; some tracers send every 2 s.
 */
export const ARRIVAL_TIMEOUT_MS = 6_000;
