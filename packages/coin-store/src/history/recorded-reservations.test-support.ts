import { expect } from '@jest/globals';
import { only } from '@forecourt/testing/redis';
import { beginExecutions } from '../executions/begin-executions.js';
import type { Settlement } from '../executions/settle-executions.js';
import { entriesOf } from './entries.test-support.js';
import { setHistoryBacklog } from './history-stream.js';
import {
  caller,
  claimOf,
  reserve,
  retentionMs,
  rules,
  type useTestStore,
} from '../pool.test-support.js';
import { claimReservations } from '../reservations/claim-reservations.js';

type TestStore = ReturnType<typeof useTestStore>;

const TRACE = `00-${'7'.repeat(32)}-${'8'.repeat(16)}-01`;
const FACTS = '500000 60 1000 700000 0';
export const result = {
  outcome: 'success',
  computation: '9',
  storage: '3',
  rebate: '2',
} as const;

/** Of the first entry: the time of the end, and the number. */
export const ofEnd = {
  ended: expect.stringMatching(/^\d{13}$/),
  n: expect.stringMatching(/^\d{13}-1$/),
};

/** A reservation in a pool whose history is on. */
export async function aReservation(store: TestStore, durationMs = 60_000) {
  const { redis } = store;
  const { sponsor } = await store.aPool(700_000);
  await setHistoryBacklog(redis, sponsor, 100);
  const { reservationId, coins } = await reserve(redis, sponsor, 500_000, durationMs);
  const facts = {
    v: '1',
    id: String(reservationId),
    caller,
    budget: '500000',
    sum: '700000',
    coins: expect.stringMatching(`^700000:\\w+:${coins[0]!.objectId}:1:Digest1$`),
  };
  return { redis, sponsor, reservationId, coins, facts };
}
export type Reserved = Awaited<ReturnType<typeof aReservation>>;

/** The same, claimed by a request and begun. */
export async function anExecution(store: TestStore, digest = 'D1') {
  const reserved = await aReservation(store);
  return { ...reserved, job: await begin(reserved, digest) };
}

export async function begin(
  { redis, sponsor, reservationId }: Omit<Reserved, 'facts'>,
  digest: string,
) {
  const claim = claimOf(reservationId, digest, {
    txBytes: `tx of ${digest}`,
    rule: 'ours',
    facts: FACTS,
    requestId: `request\t${digest}`,
    traceparent: TRACE,
  });
  const claimed = await only(claimReservations(redis, sponsor, [claim]));
  if (claimed.result !== 'claimed') throw new Error(claimed.result);
  const job = { reservationId, digest, fence: claimed.fence };
  await only(beginExecutions(redis, sponsor, 'ex-1', [job]));
  return job;
}

/** The line of a claim by `begin`, without its time. */
export const claimedBy = (digest: string) =>
  `claimed ${digest} request\\t${digest} ${TRACE} ours ${FACTS}`;

export function settlementOf({
  coins,
  job,
}: Pick<Awaited<ReturnType<typeof anExecution>>, 'coins' | 'job'>): Settlement {
  const returned = coins.map((coin) => ({ ...coin, version: 9, balance: coin.balance - 10n }));
  const paid = { gasCharged: 10n, cost: 12n, result, submissions: [40, 10] };
  return { ...job, ...paid, outcome: 'executed', returned, rules, retentionMs };
}

/** The only entry of a pool, whose times lie between the reservation and its end. */
export async function onlyEntry({ redis, sponsor }: Reserved) {
  const [entry, ...others] = await entriesOf(redis, sponsor);
  expect(others).toEqual([]);
  const { trail, ended } = entry!;
  const lines = trail.split('\n').filter(Boolean);
  for (const line of lines) {
    const time = Number(line.split('\t')[0]);
    expect(time).toBeLessThanOrEqual(Number(ended));
    expect(time).toBeGreaterThan(Number(ended) - 60_000);
  }
  return entry!;
}

/** Moves the stored deadline of a bound reservation into the past. */
export async function passDeadline({
  redis,
  sponsor,
  reservationId,
}: Omit<Reserved, 'facts'>): Promise<void> {
  const key = `fc:{${sponsor}}:reservation:${reservationId}`;
  const [first, terms, ...rest] = (await redis.get(key))!.split('\n');
  const fields = terms!.split('\t');
  fields[2] = '1000';
  await redis.set(key, [first, fields.join('\t'), ...rest].join('\n'));
}
