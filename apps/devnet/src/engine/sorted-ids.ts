/**
 * Largest size of a part of the ids: with parts, an insertion into a million ids does not move half of them.
 */
const LARGEST_PART = 512;

/** Sorted ids, for paging that is stable while objects are added and removed. */
export class SortedIds {
  /** No part is empty. */
  readonly #parts: string[][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(id: string): void {
    const number = this.partOf(id);
    const part = this.#parts[number];
    if (part === undefined) {
      this.#parts.push([id]);
      this.#size += 1;
      return;
    }
    const index = firstNotBelow(part, id);
    if (part[index] === id) return;
    part.splice(index, 0, id);
    this.#size += 1;
    if (part.length > LARGEST_PART) {
      this.#parts.splice(number + 1, 0, part.splice(part.length >>> 1));
    }
  }

  remove(id: string): void {
    const number = this.partOf(id);
    const part = this.#parts[number];
    if (part === undefined) return;
    const index = firstNotBelow(part, id);
    if (part[index] !== id) return;
    part.splice(index, 1);
    this.#size -= 1;
    if (part.length === 0) this.#parts.splice(number, 1);
  }

  /** The ids after `cursor`, which may have been removed; without one, all. */
  *after(cursor: string | null | undefined): Generator<string, void, void> {
    const hasCursor = cursor !== null && cursor !== undefined;
    for (let number = hasCursor ? this.partOf(cursor) : 0; number < this.#parts.length; number++) {
      const part = this.#parts[number]!;
      let index = hasCursor ? firstNotBelow(part, cursor) : 0;
      if (hasCursor && part[index] === cursor) index += 1;
      for (; index < part.length; index++) yield part[index]!;
    }
  }

  /** Index of the part that has the id, or would have it. */
  private partOf(id: string): number {
    let low = 0;
    let high = this.#parts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#parts[middle]![0]! <= id) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}

function firstNotBelow(ids: readonly string[], id: string): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ids[middle]! < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
