/** Takes things of one kind, such as the replicas of a service, in turn. */
export class RoundRobin<T> {
  #next = 0;

  constructor(private readonly all: readonly T[]) {}

  /** Each once, beginning with the one whose turn it is. */
  inTurn(): readonly T[] {
    const first = this.#next++ % this.all.length;
    return [...this.all.slice(first), ...this.all.slice(0, first)];
  }
}
