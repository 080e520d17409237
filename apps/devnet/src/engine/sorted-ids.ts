/** Sorted ids, for paging that is stable while objects are added and removed. */
export class SortedIds {
  readonly #ids: string[] = [];

  get size(): number {
    return this.#ids.length;
  }

  add(id: string): void {
    const index = this.firstNotBelow(id);
    if (this.#ids[index] !== id) this.#ids.splice(index, 0, id);
  }

  remove(id: string): void {
    const index = this.firstNotBelow(id);
    if (this.#ids[index] === id) this.#ids.splice(index, 1);
  }

  at(index: number): string | undefined {
    return this.#ids[index];
  }

  /** Index of the first id after `cursor`, which need not be present any more. */
  firstAfter(cursor: string | null | undefined): number {
    if (cursor === null || cursor === undefined) return 0;
    const index = this.firstNotBelow(cursor);
    return this.#ids[index] === cursor ? index + 1 : index;
  }

  private firstNotBelow(id: string): number {
    let low = 0;
    let high = this.#ids.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#ids[middle]! < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
