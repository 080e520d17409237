export interface RecentlyUsedOptions<V> {
  /** How many are kept. */
  readonly kept: number;
  /** Bytes of all that are kept together. */
  readonly keptBytes: number;
  /** Bytes of one, as an estimate; always the same for the same value. */
  readonly bytesOf: (value: V) => number;
}

/** Keeps what was used last. */
export class RecentlyUsed<K, V> {
  readonly #values = new Map<K, V>();
  #bytes = 0;

  constructor(private readonly options: RecentlyUsedOptions<V>) {}

  get(key: K): V | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.remove(key);
    this.#values.set(key, value);
    const { kept, keptBytes, bytesOf } = this.options;
    this.#bytes += bytesOf(value);
    while (this.#values.size > kept || (this.#bytes > keptBytes && this.#values.size > 1)) {
      this.remove(this.#values.keys().next().value!);
    }
  }

  private remove(key: K): void {
    const value = this.#values.get(key);
    if (value === undefined) return;
    this.#values.delete(key);
    this.#bytes -= this.options.bytesOf(value);
  }
}
