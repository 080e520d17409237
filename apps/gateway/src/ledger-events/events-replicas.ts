import type { Endpoint } from '@forecourt/runtime/config';

/** The replicas of the events service, taken in turn. */
export class EventsReplicas {
  #next = 0;

  constructor(private readonly endpoints: readonly Endpoint[]) {}

  /** Every replica once, beginning with the one whose turn it is. */
  inTurn(): readonly Endpoint[] {
    const first = this.#next++ % this.endpoints.length;
    return [...this.endpoints.slice(first), ...this.endpoints.slice(0, first)];
  }
}
