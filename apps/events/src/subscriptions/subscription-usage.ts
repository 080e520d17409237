import type { FilterCost } from '@forecourt/event-matching';

/** The resources that subscriptions use. */
export interface SubscriptionLimits {
  readonly subscriptions: number;
  /** As estimated by `measureFilterCost`, and a fixed amount for each subscription. */
  readonly filterBytes: number;
  /** Different `MoveEventField` paths. */
  readonly fieldPaths: number;
}

export const QUANTITIES = [
  ['subscriptions', 'subscriptions'],
  ['filterBytes', 'bytes of filters'],
  ['fieldPaths', 'different MoveEventField paths'],
] as const satisfies readonly (readonly [keyof SubscriptionLimits, string])[];

/** The resources that the subscriptions of a connection, a client or the whole process use. */
export class SubscriptionUsage implements SubscriptionLimits {
  subscriptions = 0;
  filterBytes = 0;
  /** Path → number of subscriptions that use it. */
  readonly #paths = new Map<string, number>();

  get fieldPaths(): number {
    return this.#paths.size;
  }

  /** The usage with one more subscription. */
  with({ bytes, paths }: FilterCost): SubscriptionLimits {
    let fieldPaths = this.#paths.size;
    for (const path of paths) if (!this.#paths.has(path)) fieldPaths += 1;
    const { subscriptions, filterBytes } = this;
    return { subscriptions: subscriptions + 1, filterBytes: filterBytes + bytes, fieldPaths };
  }

  add({ bytes, paths }: FilterCost): void {
    this.subscriptions += 1;
    this.filterBytes += bytes;
    for (const path of paths) this.#paths.set(path, (this.#paths.get(path) ?? 0) + 1);
  }

  remove({ bytes, paths }: FilterCost): void {
    this.subscriptions -= 1;
    this.filterBytes -= bytes;
    for (const path of paths) {
      const left = this.#paths.get(path)! - 1;
      if (left === 0) this.#paths.delete(path);
      else this.#paths.set(path, left);
    }
  }
}
