/**
 * One kind of telemetry. It can be switched at any time. What began before a switch is still
 * recorded to its end.
 */
export class Instrument {
  /** If OpenTelemetry is disabled, nothing is ever active. */
  constructor(
    private readonly isDisabled: boolean,
    private isOn = true,
  ) {}

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
