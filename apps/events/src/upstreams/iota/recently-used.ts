/** Keeps what was used last. */
export class RecentlyUsed<K, V> {
  readonly #values = new Map<K, V>();

  constructor(private readonly kept: number) {}

  get(key: K): V | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size > this.kept) this.#values.delete(this.#values.keys().next().value!);
  }
}
