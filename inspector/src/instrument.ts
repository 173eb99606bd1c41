import { isDisabled } from './settings.ts';

/** One kind of telemetry. It can be switched on and off at any time, also while requests are being answered. */
export abstract class Instrument {
  private readonly isDisabled = isDisabled();
  private isActive: boolean;

  constructor(isActive: boolean) {
    this.isActive = isActive && !this.isDisabled;
  }

  get active(): boolean {
    return this.isActive;
  }

  /** Does nothing if `OTEL_SDK_DISABLED` is true. */
  activate(): void {
    this.isActive = !this.isDisabled;
  }

  /** Nothing that begins after this call is recorded. What began before it is still recorded to its end. */
  deactivate(): void {
    this.isActive = false;
  }
}
