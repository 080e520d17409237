import { expect } from '@jest/globals';
import { writtenOf } from './entries.test-support.js';
import { acknowledgeHistory, setHistoryBacklog } from './history-stream.js';
import { listReservations, readSponsorships } from './stored-sponsorships.js';
import { everybody, caller, reserve, retentionMs } from '../pool.test-support.js';
import { releaseReservation } from '../reservations/release-reservations.js';
import type { CoinStoreRedis } from '../scripts/run-script.js';

/** Ends a reservation of a pool with history on, and takes its entry through every script of history. */
export async function useHistory(redis: CoinStoreRedis, sponsor: string): Promise<void> {
  await setHistoryBacklog(redis, sponsor, 10);
  const { reservationId } = await reserve(redis, sponsor);
  await releaseReservation(redis, sponsor, { reservationId, caller, retentionMs });
  const { ended } = await listReservations(redis, sponsor, { before: 2 ** 53 - 1, limit: 1 });
  expect(ended).toEqual([reservationId]);
  const [facts] = await readSponsorships(redis, sponsor, ended, everybody);
  expect(facts).toMatchObject({ state: 'released' });
  expect(await acknowledgeHistory(redis, sponsor, await writtenOf(redis, sponsor))).toBe(1);
}
