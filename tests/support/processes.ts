// Child processes of tests: what they print, and waiting for what they do.

/** Short for a slice of a second, and long for what looks at all processes of the machine. */
const POLLING_INTERVAL_MS = 40;

export type PipedProcess = Bun.Subprocess<'ignore', 'pipe', 'pipe'>;

/** What a process has done once it has ended. */
export interface ProcessOutput {
  /** `null` if a signal ended it. */
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Resolves with all that the process printed, once it has ended. */
export async function collectOutput(process: PipedProcess): Promise<ProcessOutput> {
  const [stdout, stderr] = await Promise.all([process.stdout.text(), process.stderr.text()]);
  await process.exited;
  return { status: process.exitCode, stdout, stderr };
}

/** Waits until the condition holds. @throws Error if it does not within the time. */
export async function waitUntil(condition: () => boolean, withinMs = 240_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${condition}`);
    await Bun.sleep(POLLING_INTERVAL_MS);
  }
}
