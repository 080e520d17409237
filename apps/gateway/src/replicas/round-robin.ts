/** Takes items, such as the replicas of a service, in turn. */
export class RoundRobin<T> {
  #next = 0;

  constructor(private readonly all: readonly T[]) {}

  /** All items, beginning with the one whose turn it is; the next call begins with the next item. */
  inTurn(): readonly T[] {
    const first = this.#next++ % this.all.length;
    return [...this.all.slice(first), ...this.all.slice(0, first)];
  }
}
