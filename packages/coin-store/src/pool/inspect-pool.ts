import type {
  InspectedPool,
  InspectedReservations,
  InspectedSpending,
  InspectedTransaction,
} from '@forecourt/contracts';
import { parseDrain } from '../draining/drain.js';
import { readEscaped } from '../scripts/escape-text.js';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';
import { coinStates, parseTotals, type PoolTotals } from './read-pool-totals.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TRANSACTION_FIELDS = 11;

type Reply = [
  at: string,
  counters: (string | number)[],
  states: (string | number)[],
  notes: string[],
  leader: string,
  suspendedMs: number,
  transactions: string[],
  drain: string,
];

/**
 * The figures of a sponsor's pool, and the transactions in flight that waited longest for an executor: of each
 * state at most `listed`. The cost of an inspection depends on the transactions in flight, not on the pool's coins.
 */
export async function inspectPool(
  redis: CoinStoreRedis,
  sponsor: string,
  listed: number,
): Promise<InspectedPool> {
  const periods = [HOUR_MS, DAY_MS];
  const reply = await runOnPool(redis, 'inspect-pool', sponsor, listed, ...periods);
  const [at, counters, states, notes, leader, suspendedMs, transactions, drain] = reply as Reply;
  const totals = parseTotals(counters);
  const now = Number(at);
  return {
    sponsor,
    coins: coinStates.map((state) => ({
      state,
      coins: String(totals.coins[state]),
      balance: String(totals.balance[state]),
    })),
    reservations: readStates(states),
    hour: spentSince(notes[0], notes[1], totals, now),
    day: spentSince(notes[2], notes[3], totals, now),
    leader: leader || null,
    suspendedMs: suspendedMs < 0 ? null : suspendedMs,
    transactions: readTransactions(transactions, now),
    drain: drain === '' ? null : parseDrain(drain),
  };
}

function readStates(states: readonly (string | number)[]): InspectedReservations[] {
  const read: InspectedReservations[] = [];
  for (let i = 0; i < states.length; i += 2) {
    read.push({ state: String(states[i]), count: Number(states[i + 1]) });
  }
  return read;
}

function spentSince(
  noted: string | undefined,
  charged: string | undefined,
  { gasCharged }: PoolTotals,
  now: number,
): InspectedSpending | null {
  if (!noted || !charged) return null;
  const since = Number(noted);
  return { spent: String(gasCharged - BigInt(charged)), since, forMs: Math.max(0, now - since) };
}

function readTransactions(flat: readonly string[], now: number): InspectedTransaction[] {
  const transactions: InspectedTransaction[] = [];
  for (let i = 0; i < flat.length; i += TRANSACTION_FIELDS) {
    const [state, id, caller, reserved, begun, digest, executor, coins, message, epoch, mover] =
      flat.slice(i, i + TRANSACTION_FIELDS) as [string, ...string[]];
    const isQuarantined = state === 'quarantined';
    const reservedAt = Number(reserved);
    const begunAt = begun ? Number(begun) : null;
    transactions.push({
      state: state as InspectedTransaction['state'],
      reservationId: Number(id),
      caller: readEscaped(caller!),
      digest: readEscaped(digest!),
      reservedAt,
      begunAt,
      ageMs: Math.max(0, now - (begunAt ?? reservedAt)),
      executor: executor ? readEscaped(executor) : null,
      coins: Number(coins),
      reason: isQuarantined ? readEscaped(message!) : null,
      quarantineEpoch: isQuarantined && epoch ? Number(epoch) : null,
      movedOnBy: isQuarantined && mover ? readEscaped(mover) : null,
    });
  }
  return transactions;
}
