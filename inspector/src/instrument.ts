import { getBooleanFromEnv } from '@opentelemetry/core';

/** One kind of telemetry. It can be switched at any time. What began before a switch is still recorded to its end. */
export class Instrument {
  /** Nothing is ever active then. */
  private readonly isDisabled = getBooleanFromEnv('OTEL_SDK_DISABLED') === true;

  constructor(private isOn: boolean) {}

  get active(): boolean {
    return this.isOn && !this.isDisabled;
  }

  activate(): void {
    this.isOn = true;
  }

  deactivate(): void {
    this.isOn = false;
  }
}
