import {
  type InspectedPool,
  type InspectedSpending,
  type InspectedTransaction,
  readEscaped,
} from '@forecourt/contracts';
import { COIN_STORAGE_COST } from '@forecourt/ledger';
import { parseDrain } from './drains.js';
import { coinStates, parseTotals, type PoolTotals } from './pool-totals.js';
import { holderStates, readSizes } from './pool-figures.js';
import { type CoinStoreRedis, fieldsOf, runScript } from '../scripts/run-script.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BETWEEN_NOTES_MS = 5 * 60_000;
/** Reach a little further back than a day. */
const KEPT_NOTES = 300;

type Pairs = readonly (string | number)[];
type Reply = [
  at: string,
  counters: Pairs,
  states: Pairs,
  notes: [hour: string, day: string],
  leader: string,
  suspendedMs: number,
  drain: string,
  transactions: readonly Pairs[],
  classes: Pairs,
];

/**
 * Records the pool's total spending and its number of coins, from which `inspectPool` computes the spending
 * of the last hour and day. May be called at any time: at most one note is made in five minutes. Returns
 * whether one was made.
 */
export async function noteSpending(redis: CoinStoreRedis, sponsor: string): Promise<boolean> {
  return (await runScript(redis, 'note-spending', sponsor, BETWEEN_NOTES_MS, KEPT_NOTES)) === 1;
}

/**
 * The figures of a sponsor's pool, and the transactions in flight that waited longest for an executor: of
 * each state at most `listed`. The cost of an inspection depends on the transactions in flight, not on the
 * number of coins.
 */
export async function inspectPool(
  redis: CoinStoreRedis,
  sponsor: string,
  listed: number,
): Promise<Omit<InspectedPool, 'signer'>> {
  const reply = await runScript(redis, 'inspect-pool', sponsor, listed, HOUR_MS, DAY_MS);
  const [time, counters, states, notes, leader, suspendedMs, drain, transactions, classes] =
    reply as Reply;
  const totals = parseTotals(counters);
  const now = Number(time);
  const count = fieldsOf(states);
  return {
    sponsor,
    coins: coinStates.map((state) => ({
      state,
      coins: String(totals.coins[state]),
      balance: String(totals.balance[state]),
    })),
    reservations: holderStates.map((state) => ({ state, count: Number(count(state)) })),
    hour: spentSince(notes[0], totals, now),
    day: spentSince(notes[1], totals, now),
    leader: leader || null,
    suspendedMs: suspendedMs < 0 ? null : suspendedMs,
    transactions: transactions.map((pairs) => readTransaction(pairs, now)),
    drain: drain === '' ? null : parseDrain(drain),
    sizes: readSizes(classes)
      .filter(({ coins }) => coins > 0)
      .map(({ atLeast, coins }) => ({ atLeast: String(atLeast), coins })),
  };
}

/**
 * `note`: ms|gas paid until then|coins|coins made less those smashed. Storage deposits of coins that the pool
 * makes do not count as spending: the ledger refunds them when the coins are merged. The senders have paid
 * those of coins that arrive.
 */
function spentSince(note: string, totals: PoolTotals, now: number): InspectedSpending | null {
  const [noted, charged, , madeThen = ''] = note.split('|');
  if (!noted || !charged) return null;
  const since = Number(noted);
  const made = totals.made - totals.smashed - BigInt(madeThen);
  const spent = totals.gasCharged - BigInt(charged) - made * COIN_STORAGE_COST;
  return { spent: String(spent), since, forMs: Math.max(0, now - since) };
}

function readTransaction(pairs: Pairs, now: number): InspectedTransaction {
  const field = fieldsOf(pairs);
  const text = (name: string) => readEscaped(field(name));
  const state = field('state') as InspectedTransaction['state'];
  const isQuarantined = state === 'quarantined';
  const reservedAt = Number(field('reservedAt'));
  const begunAt = Number(field('begunAt')) || null;
  return {
    state,
    reservationId: Number(field('id')),
    caller: text('caller'),
    digest: text('digest'),
    reservedAt,
    begunAt,
    ageMs: Math.max(0, now - (begunAt ?? reservedAt)),
    executor: text('executor') || null,
    coins: Number(field('coins')),
    reason: isQuarantined ? text('message') : null,
    quarantineEpoch: isQuarantined && field('epoch') ? Number(field('epoch')) : null,
    movedOnBy: isQuarantined ? text('movedOnBy') || null : null,
  };
}
