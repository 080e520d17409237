import { describe, expect, it } from '@jest/globals';
import {
  compareEventIds,
  type EventId,
  JsonRpcCode,
  nextEventId,
  readResume,
  type StoredEventRecord,
} from '@forecourt/contracts';
import { SERVICE_SESSION } from '../upstreams/node-calls.js';
import type { EventStream } from '../stream/event-stream.js';
import type { PastEvents } from '../upstreams/past-events.js';
import { PositionCheck } from './position-check.js';

const LAG_MS = { anchored: 300, bare: 0 };

/** Three transactions with two events each; `fork`: the first that another ledger has as well. */
function ledger(name: string, fork = Infinity): StoredEventRecord[] {
  return [0, 1, 2].flatMap((txSeq) =>
    [0, 1].map((eventSeq) => ({
      timestamp: txSeq,
      txDigest: Buffer.alloc(32, txSeq < fork ? txSeq : name).toString('base64'),
      id: { txSeq, eventSeq },
      event: { checkpoint: txSeq },
    })),
  );
}

function check(
  records: StoredEventRecord[],
  last: EventId | null = null,
  { lagMs = LAG_MS, onQuery = (): unknown => undefined } = {},
): PositionCheck {
  const past = {
    query: (ask: (source: object) => unknown) =>
      ask({
        getEvents: async ({ cursor }: { cursor: EventId | null }) => {
          onQuery();
          const held = records.filter(
            ({ id }) => cursor === null || compareEventIds(id, cursor) <= 0,
          );
          return { data: held.slice(-1), nextCursor: null };
        },
      }),
  } as unknown as PastEvents;
  return new PositionCheck(past, { last } as EventStream, lagMs);
}

const ask = (checked: PositionCheck, position: unknown) =>
  checked.require(readResume(position, 'resume')!, 'resume', SERVICE_SESSION);
const ours = ledger('ours', 1);
const theirs = ledger('theirs', 1);
const seen = ({ id, txDigest }: StoredEventRecord) => ({ ...id, txDigest });
const cursor = ({ id, txDigest }: StoredEventRecord, side: string) =>
  `${id.txSeq}.${id.eventSeq}${side}${txDigest.slice(0, 12)}`;

describe('a position', () => {
  it.each([
    ['an event that was seen', seen(ours[3]!)],
    ['the newest event', seen(ours[5]!)],
    ['an event before the ledgers differed', seen(theirs[1]!)],
    ['an ascending cursor', cursor(ours[2]!, '+')],
    ['a descending cursor', cursor(ours[2]!, '-')],
    ['the id of the newest event', ours[5]!.id],
    ['an integer', 2 * 2 ** 14],
    ['the beginning', 0],
    ['the place of the next transaction', 3 * 2 ** 14],
  ])('is accepted as %s', async (_what, position) => {
    await expect(ask(check(ours), position)).resolves.toBeUndefined();
  });

  it.each([
    ['an event that was seen', seen(theirs[2]!)],
    ['a cursor', cursor(theirs[3]!, '+')],
    ['a descending cursor', cursor(theirs[4]!, '-')],
  ])('of another ledger is refused as %s', async (_what, position) => {
    await expect(ask(check(ours), position)).rejects.toMatchObject({
      code: JsonRpcCode.invalidParams,
      message: expect.stringContaining('resume is of another ledger'),
    });
  });

  it.each([
    ['an id', { txSeq: 2, eventSeq: 2 }],
    ['an id of a later transaction', { txSeq: 5, eventSeq: 0 }],
    ['an integer', 4 * 2 ** 14],
    ['an event that was seen', { txSeq: 7, eventSeq: 0, txDigest: ours[0]!.txDigest }],
    [
      'a cursor in the last transaction',
      cursor({ ...ours[5]!, id: { txSeq: 2, eventSeq: 9 } }, '+'),
    ],
  ])('ahead of the ledger is refused as %s', async (_what, position) => {
    await expect(ask(check(ours), position)).rejects.toMatchObject({
      code: JsonRpcCode.invalidParams,
      message: expect.stringContaining(
        'ahead of the ledger, which ends with event 1 of transaction 2',
      ),
      data: { newest: { txSeq: 2, eventSeq: 1 } },
    });
  });

  it('at the end of the live stream is accepted while past events lag behind it', async () => {
    const last = nextEventId(ours[5]!.id);
    await expect(ask(check(ours, last), last)).resolves.toBeUndefined();
  });

  it('that was seen is accepted once a lagging node shows it', async () => {
    const lagging = ours.slice(0, 4);
    const request = ask(check(lagging), seen(ours[4]!));
    lagging.push(...ours.slice(4));
    await expect(request).resolves.toBeUndefined();
  });

  it('that never comes is looked for a few times', async () => {
    let queries = 0;
    const lagMs = { anchored: 2_000, bare: 0 };
    const checked = check(ours, null, { lagMs, onQuery: () => (queries += 1) });
    const never = { txSeq: 7, eventSeq: 0, txDigest: ours[0]!.txDigest };
    await expect(ask(checked, never)).rejects.toThrow(/ahead of the ledger/);
    // Two for each look.
    expect(queries).toBeLessThanOrEqual(2 * 8);
  });

  it('in a ledger without events is accepted as its beginning only', async () => {
    await expect(ask(check([]), 0)).resolves.toBeUndefined();
    await expect(ask(check([]), 1)).rejects.toThrow(/ahead of the ledger, which has no events/);
  });
});
