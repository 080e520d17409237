import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type EventId, JsonRpcCode, JsonRpcError, nextEventId } from '@forecourt/contracts';
import type { RpcConnection } from '@forecourt/json-rpc';
import { compileFilter } from '../event-matching/compile-filter.js';
import { eventsLimits, FairBulkhead } from '@forecourt/resilience';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import { EventStream } from '../stream/event-stream.js';
import { SharedRecord } from '../stream/shared-record.js';
import { NodeCalls } from '../upstreams/node-calls.js';
import { PAST_EVENTS, type PastEvents } from '../upstreams/past-events.js';
import { SubscriptionHub } from './subscription-hub.js';
import type { Subscription } from './subscription.js';
import { ReplayReader } from './replay-reader.js';

/** Events sent before the client gets time to read. */
const CHUNK = 100;
/** Concurrent replays of one connection: each keeps a page in memory until its client has read it. */
const CONCURRENCY = eventsLimits.replays.default;

/** Sends past events to a new subscription until it has caught up with the live stream. */
@Injectable()
export class EventReplay {
  readonly #slots = new WeakMap<RpcConnection, FairBulkhead>();

  constructor(
    @Inject(PAST_EVENTS) private readonly past: PastEvents,
    private readonly nodeCalls: NodeCalls,
    private readonly stream: EventStream,
    private readonly hub: SubscriptionHub,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Sends all events from `from` on, at the client's speed, then joins the live stream. Waits while the
   * upstream is unavailable; an error that a retry cannot help ends the subscription.
   */
  start(subscription: Subscription, from: EventId): void {
    this.run(subscription, from).catch((error: unknown) => {
      subscription.end(error instanceof JsonRpcError ? error : this.internalError(error));
    });
  }

  private async run(subscription: Subscription, from: EventId): Promise<void> {
    const matches = compileFilter(subscription.filter);
    const reader = new ReplayReader(this.past, subscription);
    const slots = this.getOrCreateSlots(subscription.connection);
    let next = from;
    while (!subscription.isEnded) {
      const recent = this.stream.recent?.since(next) ?? null;
      if (recent !== null && recent.length <= CHUNK) {
        // In one turn of the event loop, so that no live event can come between the replay and the live
        // stream.
        for (const shared of recent) if (matches(shared.traits)) deliver(subscription, shared);
        return this.hub.join(subscription);
      }
      next = await slots.run([], async () => {
        const session = this.nodeCalls.openSession(subscription.connection, {});
        try {
          const page = recent
            ? { records: recent, next: nextEventId(recent.at(-1)!.record.id) }
            : await reader.read(next, this.stream.last, session);
          await send(
            subscription,
            page.records.filter(({ traits }) => matches(traits)),
          );
          return page.next;
        } finally {
          session.end();
        }
      });
    }
  }

  private internalError(error: unknown): JsonRpcError {
    const incident = randomUUID();
    this.logger.error({ incident, error: (error as Error)?.stack }, 'Replay failed');
    const message = `Subscription ended: internal error ${incident}`;
    return new JsonRpcError(JsonRpcCode.internal, message);
  }

  private getOrCreateSlots(connection: RpcConnection): FairBulkhead {
    const slots =
      this.#slots.get(connection) ?? new FairBulkhead(CONCURRENCY, { waiting: Infinity });
    this.#slots.set(connection, slots);
    return slots;
  }
}

function deliver(subscription: Subscription, shared: SharedRecord): void {
  subscription.deliver(shared);
  shared.releaseFrames();
}

async function send(subscription: Subscription, records: readonly SharedRecord[]): Promise<void> {
  for (let index = 0; index < records.length && !subscription.isEnded; index += CHUNK) {
    for (const shared of records.slice(index, index + CHUNK)) deliver(subscription, shared);
    await subscription.connection.drained();
  }
}
