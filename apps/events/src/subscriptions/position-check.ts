import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable, Optional } from '@nestjs/common';
import {
  compareEventIds,
  type EventId,
  type EventPosition,
  JsonRpcCode,
  JsonRpcError,
  nextEventId,
  type StoredEventRecord,
} from '@forecourt/contracts';
import { EventStream } from '../stream/event-stream.js';
import type { NodeSession } from '../upstreams/node-calls.js';
import { PAST_EVENTS, type PastEvents } from '../upstreams/past-events.js';

/**
 * Nodes lag behind one another: how long a position may be ahead, with an event that the client has seen and
 * without.
 */
const LAG_MS = { anchored: 10_000, bare: 1_000 };
/** The first pause; each further one is twice as long, because a position that never comes costs as much. */
const RETRY_MS = 100;

/** Refuses positions that the ledger does not have: from there, it would look as if nothing happened. */
@Injectable()
export class PositionCheck {
  constructor(
    @Inject(PAST_EVENTS) private readonly past: PastEvents,
    private readonly stream: EventStream,
    @Optional() private readonly lagMs = LAG_MS,
  ) {}

  /**
   * `name`: of the param. Throws -32602 for a position of another ledger or ahead of this one, and the errors
   * of a query.
   */
  async require(position: EventPosition, name: string, session: NodeSession): Promise<void> {
    const { anchor } = position;
    const deadline = performance.now() + (anchor ? this.lagMs.anchored : this.lagMs.bare);
    let isReached = false;
    for (let pause = RETRY_MS; ; pause *= 2) {
      const anchorEvent = anchor && (await this.lastUpTo(anchor.id, session));
      const isKnown = anchorEvent !== null && anchorEvent.id.txSeq === anchor!.id.txSeq;
      if (isKnown && !anchorEvent.txDigest.startsWith(anchor!.digest))
        throw otherLedger(name, anchor!.id);
      if (isKnown && anchorEvent.id.eventSeq === anchor!.id.eventSeq) return;
      const newest = await this.findNewest(session);
      if (!isAhead(anchor ? nextEventId(anchor.id) : position.id, newest)) {
        if (anchor === null || isKnown) return;
        if (isReached) throw otherLedger(name, anchor.id);
        // The event may have come after it was looked for.
        isReached = true;
        continue;
      }
      const left = deadline - performance.now();
      if (left <= 0) throw ahead(name, newest);
      await sleep(Math.min(pause, left));
    }
  }

  /** The live stream can be ahead of past events, and idle. */
  private async findNewest(session: NodeSession): Promise<EventId | null> {
    const past = (await this.lastUpTo(null, session))?.id ?? null;
    const { last } = this.stream;
    return past === null || (last !== null && compareEventIds(last, past) > 0) ? last : past;
  }

  private async lastUpTo(
    cursor: EventId | null,
    session: NodeSession,
  ): Promise<StoredEventRecord | null> {
    const request = { criterion: { key: 'All' }, cursor, limit: 1, descending: true } as const;
    const page = await this.past.query((source) => source.getEvents(request, session));
    return page.data[0] ?? null;
  }
}

/** The end of the ledger, also as the beginning of its next transaction, is not ahead of it. */
function isAhead(id: EventId, newest: EventId | null): boolean {
  const last = newest ?? { txSeq: -1, eventSeq: 0 };
  if (compareEventIds(id, nextEventId(last)) <= 0) return false;
  return compareEventIds(id, { txSeq: last.txSeq + 1, eventSeq: 0 }) !== 0;
}

function ahead(name: string, newest: EventId | null): JsonRpcError {
  const end = newest === null ? 'has no events' : `ends with ${describe(newest)}`;
  return refusal(name, `is ahead of the ledger, which ${end}`, { newest });
}

function otherLedger(name: string, id: EventId): JsonRpcError {
  return refusal(name, `is of another ledger, in which ${describe(id)} is of another transaction`);
}

function refusal(name: string, why: string, data?: object): JsonRpcError {
  return new JsonRpcError(
    JsonRpcCode.invalidParams,
    `Invalid params: ${name} ${why}; begin without a position, or with one of this ledger`,
    data,
  );
}

function describe({ txSeq, eventSeq }: EventId): string {
  return `event ${eventSeq} of transaction ${txSeq}`;
}
