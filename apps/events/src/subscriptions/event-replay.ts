import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { compareEventIds, type EventId, nextEventId } from '@forecourt/contracts';
import { compileFilter, findCoveringCriterion } from '@forecourt/event-matching';
import { CallSlots, JsonRpcError, type RpcConnection } from '@forecourt/json-rpc';
import { EventStream } from '../stream/event-stream.js';
import type { SharedRecord } from '../stream/shared-record.js';
import { NodeCalls, QueryTooExpensive } from '../upstreams/node-calls.js';
import { Upstreams } from '../upstreams/upstreams.js';
import { type PageQuery, readReplayPage, type ReplayPage } from './read-replay-page.js';
import type { Subscription } from './subscription.js';
import { SubscriptionHub } from './subscription-hub.js';

const RETRY_MS = 200;
/** Events sent before the client gets time to read. */
const CHUNK = 100;
/** Replays of one connection that run at once: each keeps a page in memory until its client has read it. */
const CONCURRENCY = 4;

/** Sends past events to a new subscription until it has caught up with the live stream. */
@Injectable()
export class EventReplay {
  readonly #slots = new WeakMap<RpcConnection, CallSlots>();

  constructor(
    private readonly upstreams: Upstreams,
    private readonly nodeCalls: NodeCalls,
    private readonly stream: EventStream,
    private readonly hub: SubscriptionHub,
  ) {}

  /**
   * Sends everything from `from` on, no faster than the client reads, then joins the live stream. Waits while the upstream
   * is unavailable.
   */
  async run(subscription: Subscription, from: EventId): Promise<void> {
    const { connection, filter } = subscription;
    const matches = compileFilter(filter);
    const criterion = findCoveringCriterion(filter);
    const slots = this.slotsOf(connection);
    let next = from;
    while (!subscription.isEnded) {
      const recent = this.stream.recent?.since(next) ?? null;
      if (recent !== null && recent.length <= CHUNK) {
        // In one turn of the event loop, so that no live event can come between the replay and the live stream.
        for (const shared of recent) if (matches(shared.traits)) deliver(subscription, shared);
        return this.hub.join(subscription);
      }
      next = await slots.run(async () => {
        const session = this.nodeCalls.openSession(connection, {});
        try {
          const page = recent
            ? { records: recent, next: nextEventId(recent.at(-1)!.record.id) }
            : await this.readPage(subscription, {
                criterion,
                next,
                tip: this.stream.last,
                session,
              });
          const wanted = page.records.filter(({ traits }) => matches(traits));
          await send(subscription, wanted);
          return page.next;
        } finally {
          session.end();
        }
      });
    }
  }

  /**
   * Reads the next page; waits while the upstream is unavailable or has nothing new. A page that needs too many node calls
   * ends the subscription, because a retry would need as many.
   */
  private async readPage(subscription: Subscription, query: PageQuery): Promise<ReplayPage> {
    const { next } = query;
    try {
      const page = await this.upstreams.query((source) => readReplayPage(source, query));
      if (compareEventIds(page.next, next) > 0) return page;
    } catch (error) {
      if (!(error instanceof JsonRpcError)) throw error;
      if (error instanceof QueryTooExpensive) subscription.end(error);
      if (subscription.isEnded) return { records: [], next };
    }
    await sleep(RETRY_MS);
    return { records: [], next };
  }

  private slotsOf(connection: RpcConnection): CallSlots {
    let slots = this.#slots.get(connection);
    if (slots === undefined) {
      slots = new CallSlots(CONCURRENCY);
      this.#slots.set(connection, slots);
    }
    return slots;
  }
}

function deliver(subscription: Subscription, shared: SharedRecord): void {
  subscription.deliver(shared);
  shared.releaseFrames();
}

async function send(subscription: Subscription, records: readonly SharedRecord[]): Promise<void> {
  for (let at = 0; at < records.length && !subscription.isEnded; at += CHUNK) {
    for (const shared of records.slice(at, at + CHUNK)) deliver(subscription, shared);
    await subscription.connection.drained();
  }
}
