import { describe, expect, it } from '@jest/globals';
import { JsonRpcCode, JsonRpcError, LARGEST_PAGE } from '@forecourt/contracts';
import { createLogger } from '@forecourt/runtime/service';
import type { EventStream } from '../stream/event-stream.js';
import type { EventSource } from '../upstreams/event-source.js';
import { type NodeCalls, SERVICE_SESSION } from '../upstreams/node-calls.js';
import { Upstreams } from '../upstreams/upstreams.js';
import { OtherLedgerIndexed } from '../upstreams/other-ledger-indexed.js';
import { EventReplay } from './event-replay.js';
import type { SubscriptionHub } from './subscription-hub.js';
import type { Subscription } from './subscription.js';

const logger = createLogger('test', 'fatal');

/**
 * Replays all events from the first one; resolves with the error that ends the subscription, or with null.
 */
function replayFrom(getEvents: EventSource['getEvents'], isOver = () => false) {
  const source = { name: 'a', getEvents } as unknown as EventSource;
  const openSession = () => ({ ...SERVICE_SESSION, end: () => undefined });
  const replay = new EventReplay(
    new Upstreams([source], logger),
    { openSession } as unknown as NodeCalls,
    { recent: null, last: null } as unknown as EventStream,
    {} as unknown as SubscriptionHub,
    logger,
  );
  return new Promise<JsonRpcError | null>((resolve) => {
    let ended = false;
    const subscription = {
      filter: { key: 'EventType', value: 'Checkpoint' },
      connection: {},
      get isEnded() {
        if (!ended && isOver()) resolve(null);
        return ended || isOver();
      },
      end: (error: JsonRpcError) => {
        ended = true;
        resolve(error);
      },
    };
    replay.start(subscription as unknown as Subscription, { txSeq: 0, eventSeq: 0 });
  });
}

const tooBig = new JsonRpcError(JsonRpcCode.responseTooBig, 'Response is too big');

describe('EventReplay', () => {
  it('ends the subscription after an unexpected error', async () => {
    const noPage = (async () => ({})) as unknown as EventSource['getEvents'];
    expect(await replayFrom(noPage)).toMatchObject({
      code: -32_603,
      message: expect.stringMatching(/^Subscription ended: internal error/),
    });
  });

  it('ends the subscription if the index holds another ledger than the node serves', async () => {
    const [held, served] = ['a', 'b'].map((chainIdentifier) => {
      return { chainIdentifier, genesisTransaction: null };
    });
    const error = new OtherLedgerIndexed(held!, served!);
    expect(await replayFrom(() => Promise.reject(error))).toBe(error);
  });

  it('requests fewer events after a page that is too big', async () => {
    const limits: number[] = [];
    let isOver = false;
    let next = 0;
    const getEvents = (async ({ limit }: { limit: number }) => {
      limits.push(limit);
      if (limit > LARGEST_PAGE / 4) throw tooBig;
      isOver = limits.length === 4;
      return { data: [], nextCursor: { txSeq: ++next, eventSeq: 0 }, goesOn: true };
    }) as unknown as EventSource['getEvents'];
    expect(await replayFrom(getEvents, () => isOver)).toBeNull();
    const largest = LARGEST_PAGE;
    expect(limits).toEqual([largest, largest / 2, largest / 4, largest / 4]);
  });

  it('ends the subscription if a page of one event is too big', async () => {
    const limits: number[] = [];
    const getEvents = (async ({ limit }: { limit: number }) => {
      limits.push(limit);
      throw tooBig;
    }) as unknown as EventSource['getEvents'];
    expect(await replayFrom(getEvents)).toBe(tooBig);
    expect(limits.at(-1)).toBe(1);
  });
});
