import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { compareEventIds, type EventId, LARGEST_PAGE, nextEventId } from '@forecourt/contracts';
import { compileFilter, findCoveringCriterion } from '@forecourt/event-matching';
import { CallSlots, JsonRpcCode, JsonRpcError, type RpcConnection } from '@forecourt/json-rpc';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import { EventStream } from '../stream/event-stream.js';
import type { SharedRecord } from '../stream/shared-record.js';
import { NodeCalls, QueryTooExpensive } from '../upstreams/node-calls.js';
import { QueryUnanswerable, Upstreams } from '../upstreams/upstreams.js';
import { type PageQuery, readReplayPage, type ReplayPage } from './read-replay-page.js';
import type { Subscription } from './subscription.js';
import { SubscriptionHub } from './subscription-hub.js';

const RETRY_MS = 200;
/** Pause while a node does not have, or cannot show, the next events. */
const LACK_RETRY_MS = 2_000;
const LACK_RETRIES = 4;
/** Events sent before the client gets time to read. */
const CHUNK = 100;
/** Concurrent replays of one connection: each keeps a page in memory until its client has read it. */
const CONCURRENCY = 4;

/** Sends past events to a new subscription until it has caught up with the live stream. */
@Injectable()
export class EventReplay {
  readonly #slots = new WeakMap<RpcConnection, CallSlots>();
  /** Number of consecutive attempts in which nodes lacked the next events. */
  readonly #lacks = new WeakMap<Subscription, number>();
  /** Events per page, if larger pages exceed the maximum size of a node's response. */
  readonly #pageSizes = new WeakMap<Subscription, number>();

  constructor(
    private readonly upstreams: Upstreams,
    private readonly nodeCalls: NodeCalls,
    private readonly stream: EventStream,
    private readonly hub: SubscriptionHub,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Sends all events from `from` on, at the client's speed, then joins the live stream. Waits while the upstream is
   * unavailable; an unexpected error ends the subscription.
   */
  start(subscription: Subscription, from: EventId): void {
    this.run(subscription, from).catch((error: unknown) => {
      const incident = randomUUID();
      this.logger.error({ incident, error: (error as Error)?.stack }, 'Replay failed');
      const message = `Subscription ended: internal error ${incident}`;
      subscription.end(new JsonRpcError(JsonRpcCode.internal, message));
    });
  }

  private async run(subscription: Subscription, from: EventId): Promise<void> {
    const { connection, filter } = subscription;
    const matches = compileFilter(filter);
    const criterion = findCoveringCriterion(filter);
    const slots = this.getOrCreateSlots(connection);
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
                limit: this.#pageSizes.get(subscription) ?? LARGEST_PAGE,
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
   * Reads the next page; after a pause, returns an empty one if the upstream is unavailable or has nothing new. Ends
   * the subscription if a retry cannot help: the page needs too many node calls, a page of one event is too big, it is
   * pruned, or no node can show it after some attempts.
   */
  private async readPage(subscription: Subscription, query: PageQuery): Promise<ReplayPage> {
    const { next } = query;
    try {
      const page = await this.upstreams.query((source) => readReplayPage(source, query));
      this.#lacks.delete(subscription);
      if (compareEventIds(page.next, next) > 0) return page;
    } catch (error) {
      if (!(error instanceof JsonRpcError)) throw error;
      if (this.learnFrom(subscription, error, query.limit)) subscription.end(error);
      if (subscription.isEnded) return { records: [], next };
      if (error instanceof QueryUnanswerable) await sleep(LACK_RETRY_MS);
    }
    await sleep(RETRY_MS);
    return { records: [], next };
  }

  /** Stores the result of an attempt for the next one. Returns whether to give up. */
  private learnFrom(subscription: Subscription, error: JsonRpcError, pageSize: number): boolean {
    if (error instanceof QueryUnanswerable) return this.countLack(subscription, error);
    if (error.code !== JsonRpcCode.responseTooBig) return error instanceof QueryTooExpensive;
    this.#pageSizes.set(subscription, Math.max(1, Math.floor(pageSize / 2)));
    return pageSize === 1;
  }

  /** Counts an attempt in which nodes lacked the next events. Returns whether to give up. */
  private countLack(subscription: Subscription, { lack, isCertain }: QueryUnanswerable): boolean {
    const times = (this.#lacks.get(subscription) ?? 0) + 1;
    this.#lacks.set(subscription, times);
    return (lack.kind === 'pruned' && isCertain) || times > LACK_RETRIES;
  }

  private getOrCreateSlots(connection: RpcConnection): CallSlots {
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
