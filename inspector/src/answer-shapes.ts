import type { Endpoint } from './http.ts';

/** Remembers, for each endpoint and content type, if bodies were there at once (strings, bytes) or were streamed. */
export class AnswerShapes {
  private readonly byEndpoint = new WeakMap<Endpoint, Map<string | null, boolean>>();

  /** Undefined before the first response. */
  isWhole(endpoint: Endpoint, type: string | null): boolean | undefined {
    return this.byEndpoint.get(endpoint)?.get(type);
  }

  /** One response that streamed is enough to treat all later ones as streams. */
  note(endpoint: Endpoint, type: string | null, isWhole: boolean): void {
    const types = this.byEndpoint.get(endpoint) ?? new Map<string | null, boolean>();
    this.byEndpoint.set(endpoint, types.set(type, isWhole && types.get(type) !== false));
  }
}
