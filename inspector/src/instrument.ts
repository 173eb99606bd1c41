/** One kind of telemetry. It can be switched on and off at any time, also while requests are being answered. */
export abstract class Instrument {
  constructor(private isActive: boolean) {}

  get active(): boolean {
    return this.isActive;
  }

  activate(): void {
    this.isActive = true;
  }

  /** Nothing that begins after this call is recorded. What began before it is still recorded to its end. */
  deactivate(): void {
    this.isActive = false;
  }
}
