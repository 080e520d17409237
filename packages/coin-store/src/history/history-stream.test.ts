import { HISTORY_GROUP } from '@forecourt/contracts';
import { only } from '@forecourt/testing/redis';
import { describe, expect, it } from '@jest/globals';
import { settleExecutions } from '../executions/settle-executions.js';
import { entriesOf, writtenOf } from './entries.test-support.js';
import {
  acknowledgeHistory,
  countBacklog,
  countDroppedEntries,
  historyStreamKey,
  readEntryNumber,
  readLastNumber,
  setHistoryBacklog,
} from './history-stream.js';
import { anExecution, settlementOf } from './recorded-reservations.test-support.js';
import { findReservationOf, readSponsorships } from './stored-sponsorships.js';
import { checkRedisRestart } from '../pool/suspension.js';
import {
  everybody,
  caller,
  reserve,
  retentionMs,
  rules,
  useTestStore,
  waiter,
} from '../pool.test-support.js';
import { findReservation } from '../reservations/reservation-lookups.js';
import { releaseReservation } from '../reservations/release-reservations.js';

const store = useTestStore();

/** A pool whose history is on, and in which reservations can be released. */
async function aPoolWithHistory(backlog: number | null) {
  const { redis } = store;
  const { sponsor } = await store.aPool(700_000);
  await setHistoryBacklog(redis, sponsor, backlog);
  const release = async () => {
    const { reservationId } = await reserve(redis, sponsor);
    await releaseReservation(redis, sponsor, { reservationId, caller, retentionMs });
    return reservationId;
  };
  return { redis, sponsor, release };
}

describe('the stream of ended reservations', () => {
  it('takes no more entries than its bound, and counts the others', async () => {
    const { redis, sponsor, release } = await aPoolWithHistory(2);
    for (let n = 0; n < 5; n++) await release();
    expect(await entriesOf(redis, sponsor)).toHaveLength(2);
    expect(await countDroppedEntries(redis, sponsor)).toBe(3);
    await acknowledgeHistory(redis, sponsor, await writtenOf(redis, sponsor));
    await release();
    expect(await entriesOf(redis, sponsor)).toHaveLength(1);
    expect(await countDroppedEntries(redis, sponsor)).toBe(3);
  });

  it('numbers its entries without gaps, and anew after Redis may have lost some', async () => {
    const { redis, sponsor, release } = await aPoolWithHistory(5);
    const numbers = async () => {
      const entries = await redis.xrange(historyStreamKey(sponsor), '-', '+');
      return entries.map(([, pairs]) => readEntryNumber(pairs[pairs.indexOf('n') + 1]!)!);
    };
    for (let n = 0; n < 2; n++) await release();
    await acknowledgeHistory(redis, sponsor, await writtenOf(redis, sponsor));
    await redis.set(historyStreamKey(sponsor), 'not a stream');
    await release();
    await redis.del(historyStreamKey(sponsor));
    await release();
    const [third] = await numbers();
    expect(third!.number).toBe(3);
    expect(await readLastNumber(redis, sponsor)).toEqual(third);
    const check = { runId: 'one', mayForget: false, holdMs: 1, witness: 'w', others: [] };
    await checkRedisRestart(redis, sponsor, { ...check, watermark: 9 });
    await release();
    const [, first] = await numbers();
    expect(first!.number).toBe(1);
    expect(first!.era).toBeGreaterThan(third!.era);
  });

  it('counts a large entry once for each 2 KiB, until it is acknowledged', async () => {
    const execution = await anExecution(store);
    const { redis, sponsor, reservationId } = execution;
    const payload = `fc:{${sponsor}}:payload:${reservationId}`;
    const stored = await redis.get(payload);
    await redis.set(payload, stored!.replace('tx of D1', 'A'.repeat(170_000)));
    await only(settleExecutions(redis, sponsor, [settlementOf(execution)]));
    expect(await countBacklog(redis, sponsor)).toBe(1 + 83);
    await setHistoryBacklog(redis, sponsor, 84);
    const release = async () => {
      const reserved = await reserve(redis, sponsor, 100_000);
      await releaseReservation(redis, sponsor, { ...reserved, caller, retentionMs });
    };
    await release();
    expect(await countDroppedEntries(redis, sponsor)).toBe(1);
    await setHistoryBacklog(redis, sponsor, 85);
    await release();
    expect(await countBacklog(redis, sponsor)).toBe(2 + 83);
    const written = await writtenOf(redis, sponsor);
    for (let n = 0; n < 2; n++) await acknowledgeHistory(redis, sponsor, written.slice(0, 1));
    expect(await countBacklog(redis, sponsor)).toBe(1);
    await acknowledgeHistory(redis, sponsor, written);
    expect(await redis.keys(`fc:{${sponsor}}:history-weight*`)).toEqual([]);
  });

  it('takes none while history is off, and from the moment when it is turned off', async () => {
    const { redis, sponsor, release } = await aPoolWithHistory(null);
    await release();
    const kept = await redis.keys(`fc:{${sponsor}}:history*`);
    expect(kept).toEqual([`fc:{${sponsor}}:history-backlog`]);
    await setHistoryBacklog(redis, sponsor, 5);
    await release();
    await setHistoryBacklog(redis, sponsor, null);
    await release();
    expect(await entriesOf(redis, sponsor)).toHaveLength(1);
  });

  it('does not keep a reservation from ending when its keys hold something else', async () => {
    const { redis, sponsor, release } = await aPoolWithHistory(5);
    await redis.set(historyStreamKey(sponsor), 'not a stream');
    const reservationId = await release();
    const message = { reservationId, caller, digest: 'none', waiter };
    expect(await findReservation(redis, sponsor, message, rules)).toMatchObject({
      found: { state: 'released' },
    });
    expect(await countDroppedEntries(redis, sponsor)).toBe(1);
  });

  it('forgets what is acknowledged: entries, what is pending of them, and what leads to them', async () => {
    const execution = await anExecution(store);
    const { redis, sponsor, reservationId } = execution;
    await redis.xgroup('CREATE', historyStreamKey(sponsor), HISTORY_GROUP, '0', 'MKSTREAM');
    await only(settleExecutions(redis, sponsor, [settlementOf(execution)]));
    await redis.xreadgroup(
      'GROUP',
      HISTORY_GROUP,
      'one',
      'STREAMS',
      historyStreamKey(sponsor),
      '>',
    );
    expect(await readSponsorships(redis, sponsor, [reservationId], everybody)).toMatchObject([
      { state: 'executed' },
    ]);
    const written = await writtenOf(redis, sponsor);
    expect(await acknowledgeHistory(redis, sponsor, written)).toBe(1);
    expect(await acknowledgeHistory(redis, sponsor, written)).toBe(0);
    const [pending] = await redis.xpending(historyStreamKey(sponsor), HISTORY_GROUP);
    expect(pending).toBe(0);
    expect(await entriesOf(redis, sponsor)).toEqual([]);
    const left = await redis.keys(`fc:{${sponsor}}:history-*`);
    const kept = ['backlog', 'number'].map((name) => `fc:{${sponsor}}:history-${name}`);
    expect(left.sort()).toEqual(kept);
    expect(await readSponsorships(redis, sponsor, [reservationId], everybody)).toEqual([null]);
  });

  it('keeps the way from a digest to a later reservation that has ended too', async () => {
    const execution = await anExecution(store);
    const { redis, sponsor } = execution;
    await only(settleExecutions(redis, sponsor, [settlementOf(execution)]));
    const [first] = await writtenOf(redis, sponsor);
    const digests = `fc:{${sponsor}}:history-digests`;
    await redis.hset(digests, 'D1', '64');
    await acknowledgeHistory(redis, sponsor, [first!]);
    await redis.del(`fc:{${sponsor}}:claimed-by:D1`);
    expect(await findReservationOf(redis, sponsor, 'D1')).toBe(64);
  });

  it('is acknowledged in any number', async () => {
    const { redis, sponsor, release } = await aPoolWithHistory(2_000);
    for (let n = 0; n < 3; n++) await release();
    const written = await writtenOf(redis, sponsor);
    const unknown = Array.from({ length: 1_200 }, (_, n) => {
      return { entry: `${n + 1}-1`, reservationId: n, digest: '' };
    });
    expect(await acknowledgeHistory(redis, sponsor, [...unknown, ...written])).toBe(3);
    expect(await acknowledgeHistory(redis, sponsor, [])).toBe(0);
  });
});
