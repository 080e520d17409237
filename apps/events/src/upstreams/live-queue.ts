/**
 * Passes pushed items to a loop that pulls. Beyond `limit` queued items, all are dropped to bound memory; the
 * loop receives a flag and queries the missed ones.
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

  /** Ends the loop after the queued items. */
  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** Makes the loop throw after the queued items. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  /**
   * The items queued since the last call; waits for the first. Null at the end. Throws the error given to
   * `fail`.
   */
  async take(): Promise<{ readonly items: readonly T[]; readonly dropped: boolean } | null> {
    while (this.#items.length === 0) {
      if (this.#failure) throw this.#failure.error;
      if (this.#ended) return null;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    const batch = { items: this.#items, dropped: this.#dropped };
    this.#items = [];
    this.#dropped = false;
    return batch;
  }
}
