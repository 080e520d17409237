import type {
  InspectedPool,
  InspectedReservations,
  InspectedSpending,
  InspectedTransaction,
} from '@forecourt/contracts';
import { COIN_STORAGE_COST } from '@forecourt/ledger';
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
    hour: spentSince(notes.slice(0, 3), totals, now),
    day: spentSince(notes.slice(3), totals, now),
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

/** Storage deposits of the pool's own coins are no spending: the ledger pays them back when the coins are merged. */
function spentSince(
  [noted, charged, coins]: readonly string[],
  totals: PoolTotals,
  now: number,
): InspectedSpending | null {
  if (!noted || !charged) return null;
  const since = Number(noted);
  const made = coins ? sumOf(Object.values(totals.coins)) - BigInt(coins) : 0n;
  const spent = totals.gasCharged - BigInt(charged) - made * COIN_STORAGE_COST;
  return { spent: String(spent), since, forMs: Math.max(0, now - since) };
}

const sumOf = (numbers: readonly bigint[]) => numbers.reduce((sum, one) => sum + one, 0n);

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
