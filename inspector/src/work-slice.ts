const sliceMs = 2;

/** Cuts long work into slices, between which requests are answered. */
export class WorkSlice {
  private startMs = performance.now();

  get isOver(): boolean {
    return performance.now() - this.startMs > sliceMs;
  }

  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.startMs = performance.now();
  }
}
