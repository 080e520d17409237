/**
 * Hands what is pushed to a loop that pulls. Beyond `limit` waiting items all are dropped, and the loop is told: it then
 * asks for what it missed, and memory stays bounded.
 */
export class LiveQueue<T> {
  #items: T[] = [];
  #dropped = false;
  #failure: { readonly error: unknown } | null = null;
  #ended = false;
  #wake: () => void = () => undefined;

  constructor(private readonly limit: number) {}

  push(item: T): void {
    this.#items.push(item);
    if (this.#items.length > this.limit) {
      this.#items = [item];
      this.#dropped = true;
    }
    this.#wake();
  }

  /** Ends the loop once it has taken what waits. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** Makes the loop throw once it has taken what waits. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  /** What has piled up since the last call; waits for the first. Null at the end. */
  async take(): Promise<{ readonly items: readonly T[]; readonly dropped: boolean } | null> {
    while (this.#items.length === 0) {
      if (this.#failure) throw this.#failure.error;
      if (this.#ended) return null;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    const taken = { items: this.#items, dropped: this.#dropped };
    this.#items = [];
    this.#dropped = false;
    return taken;
  }
}
