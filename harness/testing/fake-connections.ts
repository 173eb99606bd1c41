// The connections of loads in a fake world.
import type { Behaviour } from './fake-behaviour.ts';

/** How many were opened, and which of them servers have closed. */
export class FakeConnections {
  private opened = 0;
  /** By port, which is the number of a server. */
  private readonly closedBy = new Map<string, number>();

  constructor(private readonly behaviour: Behaviour) {}

  /** Counts those of a load, of which the server at this port closes some. */
  add(port: string, connections: number, closes: number): void {
    this.opened += connections + closes;
    this.closedBy.set(port, (this.closedBy.get(port) ?? 0) + closes);
  }

  passiveOpens(): number | null {
    return this.behaviour.opensMore ? null : this.opened;
  }

  /** Returns which part of all ports closed ones still keep. */
  keptPortShare(nowMs: number): number {
    return nowMs < (this.behaviour.keepsPortsForMs ?? 0) ? 0.6 : 0;
  }

  closedByServers(ports: readonly number[]) {
    const closed = (port: number) =>
      this.behaviour.resets ? 0 : (this.closedBy.get(`${port}`) ?? 0);
    return ports.map((port) => new Set(Array.from({ length: closed(port) }, (_, i) => `${i}`)));
  }
}
