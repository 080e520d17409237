/** Values by name, as many of the most recently used as fit into `most` bytes. */
export class RecentValues<T extends { readonly memory: number }> {
  readonly #values = new Map<string, T>();
  #memory = 0;

  constructor(private readonly most: number) {}

  get(name: string): T | undefined {
    const value = this.#values.get(name);
    if (value === undefined) return undefined;
    // A map keeps the order of insertion.
    this.#values.delete(name);
    this.#values.set(name, value);
    return value;
  }

  set(name: string, value: T): void {
    this.delete(name);
    this.#values.set(name, value);
    this.#memory += value.memory;
    for (const oldest of this.#values.keys()) {
      if (this.#memory <= this.most) return;
      this.delete(oldest);
    }
  }

  clear(): void {
    this.#values.clear();
    this.#memory = 0;
  }

  private delete(name: string): void {
    this.#memory -= this.#values.get(name)?.memory ?? 0;
    this.#values.delete(name);
  }
}
