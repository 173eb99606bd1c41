import { getBooleanFromEnv } from '@opentelemetry/core';

/** True if `OTEL_SDK_DISABLED` asks for nothing to be recorded. */
export const isDisabled = () => getBooleanFromEnv('OTEL_SDK_DISABLED') === true;

/** One kind of telemetry. It can be switched on and off at any time, also while requests are being answered. */
export class Instrument {
  private readonly isAllowed = !isDisabled();

  constructor(private isActive: boolean) {}

  get active(): boolean {
    return this.isActive && this.isAllowed;
  }

  activate(): void {
    this.isActive = true;
  }

  /** Nothing that begins after this call is recorded. What began before it is still recorded to its end. */
  deactivate(): void {
    this.isActive = false;
  }
}
