import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Pseudo-random choices: the same seed makes the same choices in the same order. */
export class Seeded {
  readonly #generator;

  constructor(seed: number) {
    this.#generator = xoroshiro128plus(seed);
  }

  /** From `least` to `most`, both included. */
  integer(least: number, most: number): number {
    return uniformInt(this.#generator, least, most);
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.integer(0, choices.length - 1)]!;
  }

  /** One of the choices, with a probability in proportion to its weight. */
  weighted<T extends string>(weights: Readonly<Partial<Record<T, number>>>): T {
    const entries = Object.entries(weights) as [T, number][];
    let left = this.integer(
      1,
      entries.reduce((sum, [, weight]) => sum + weight, 0),
    );
    return entries.find(([, weight]) => (left -= weight) <= 0)![0];
  }

  shuffle<T>(list: readonly T[]): T[] {
    const shuffled = [...list];
    for (let last = shuffled.length - 1; last > 0; last--) {
      const other = this.integer(0, last);
      [shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
    }
    return shuffled;
  }

  /** An independent source of choices for one part, unaffected by the order of the other parts' choices. */
  branch(): Seeded {
    return new Seeded(this.integer(-0x80000000, 0x7fffffff));
  }
}
