import { SubscriptionIndex } from '@forecourt/event-matching';
import type { SharedRecord } from '../stream/shared-record.js';
import type { Subscription } from './subscription.js';

/** All subscriptions that hear the live stream. */
export class SubscriptionHub {
  readonly #live = new SubscriptionIndex<Subscription>();
  readonly #removals = new Map<Subscription, () => void>();
  readonly #deliver = (subscription: Subscription) => subscription.deliver(this.#current!);
  #current: SharedRecord | null = null;

  /** Live from now on. */
  join(subscription: Subscription): void {
    if (subscription.isOver) return;
    this.#removals.set(subscription, this.#live.add(subscription.filter, subscription));
  }

  leave(subscription: Subscription): void {
    this.#removals.get(subscription)?.();
    this.#removals.delete(subscription);
  }

  /** Sends an event to all that match. */
  publish(shared: SharedRecord): void {
    this.#current = shared;
    this.#live.match(shared.traits, this.#deliver);
    shared.releaseFrames();
  }
}
