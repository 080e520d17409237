import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SubscriptionIndex } from '@forecourt/event-matching';
import { EventStream } from '../stream/event-stream.js';
import type { SharedRecord } from '../stream/shared-record.js';
import type { Subscription } from './subscription.js';

/** Delivers the live stream to the subscriptions that match. */
@Injectable()
export class SubscriptionHub implements OnModuleInit {
  readonly #live = new SubscriptionIndex<Subscription>();
  readonly #removals = new Map<Subscription, () => void>();
  readonly #deliver = (subscription: Subscription) => subscription.deliver(this.#current!);
  #current: SharedRecord | null = null;

  constructor(private readonly stream: EventStream) {}

  onModuleInit(): void {
    this.stream.onRecord((shared) => this.publish(shared));
  }

  /** Starts live delivery. */
  join(subscription: Subscription): void {
    if (subscription.isEnded) return;
    this.#removals.set(subscription, this.#live.add(subscription.filter, subscription));
  }

  leave(subscription: Subscription): void {
    this.#removals.get(subscription)?.();
    this.#removals.delete(subscription);
  }

  private publish(shared: SharedRecord): void {
    this.#current = shared;
    this.#live.match(shared.traits, this.#deliver);
    shared.releaseFrames();
  }
}
