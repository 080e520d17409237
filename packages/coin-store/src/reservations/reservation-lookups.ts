import {
  type CurrentUsage,
  escapeText,
  type ExpectedUsage,
  type FindReservationReply,
  readEscaped,
  type ReservationState,
  type ReservationTrace,
  type Waiter,
} from '@forecourt/contracts';
import { mayLeaveDust, type PlacementRules } from '../pool/placement-rules.js';
import { readCoinList } from '../pool/stored-coins.js';
import { readWaiters, writeWaiter } from './waiters.js';
import {
  type CoinStoreRedis,
  fieldsOf,
  listOf,
  recordsOf,
  runScript,
} from '../scripts/run-script.js';
import { type ReachedThreshold, readReached, writeCheck } from './usage-checks.js';

const PAGE = 100;
/** At most this many pages are searched: ten thousand transactions of each state. */
const MAX_PAGES = 100;

type Reply =
  | [tag: 'none' | 'foreign']
  | [
      tag: 'found',
      state: ReservationState,
      budget: string,
      durationMs: string,
      coins: string,
      digest: string,
      fence: string,
      refusedDigest?: string,
      refusedFence?: string,
      refusal?: string,
    ];

/**
 * Shows a caller its reservation, without the balances, which stay inside the pool. The waiter will receive
 * the outcome of `digest` if that is in flight.
 */
export async function findReservation(
  redis: CoinStoreRedis,
  sponsor: string,
  request: { reservationId: number; caller: string; digest: string; waiter: Waiter },
  rules: PlacementRules,
): Promise<FindReservationReply> {
  const reply = (await runScript(
    redis,
    'find-reservation',
    sponsor,
    request.reservationId,
    escapeText(request.caller),
    escapeText(request.digest),
    writeWaiter(request.waiter),
  )) as Reply;
  if (reply[0] !== 'found') return { found: null, everHeld: reply[0] === 'foreign' };
  const [, state, budget, durationMs, coinList, digest, fence, ...refusal] = reply;
  const [refusedDigest, refusedFence, message = ''] = refusal;
  const coins = readCoinList(coinList);
  return {
    found: {
      reservationId: request.reservationId,
      sponsor,
      state,
      gasBudget: Number(budget),
      durationSecs: Number(durationMs) / 1_000,
      coins: coins.map(({ objectId, version, digest }) => ({ objectId, version, digest })),
      mayLeaveDust: mayLeaveDust(coins, Number(budget), rules),
      digest: digest ? readEscaped(digest) : null,
      fence: Number(fence),
      refusal: refusedDigest
        ? {
            digest: readEscaped(refusedDigest),
            fence: Number(refusedFence),
            message: readEscaped(message),
          }
        : null,
    },
  };
}

/**
 * The reservation that a transaction was claimed for. Known for ten minutes beyond the reservation's
 * deadline, and as long as the transaction is in flight; null without a record of the digest.
 */
export async function findDigest(
  redis: CoinStoreRedis,
  sponsor: string,
  digest: string,
): Promise<number | null> {
  for (let page = 0; page < MAX_PAGES; page++) {
    const args = [escapeText(digest), page * PAGE, PAGE];
    const reply = await runScript(redis, 'find-digest', sponsor, ...args);
    const [tag, reservationId] = reply as ['found' | 'more' | 'none', string];
    if (tag === 'found') return Number(reservationId);
    if (tag === 'none') return null;
  }
  return null;
}

/** The whole stored state of a reservation of any caller; null without a record. */
export async function traceReservation(
  redis: CoinStoreRedis,
  sponsor: string,
  reservationId: number,
): Promise<ReservationTrace | null> {
  const reply = await runScript(redis, 'trace-reservation', sponsor, reservationId);
  if (reply === null) return null;
  const [fields, held] = reply as [(string | number)[], string[][]];
  const field = fieldsOf(fields);
  const number = (name: string) => Number(field(name));
  const numberIfSet = (name: string) => (field(name) ? number(name) : null);
  const text = (name: string) => (field(name) ? readEscaped(field(name)) : null);
  const state = field('state');
  const isOverdue = state === 'reserved' && number('deadline') <= number('now');
  return {
    reservationId,
    sponsor,
    caller: text('caller') ?? '',
    state: (isOverdue ? 'expired' : state) as ReservationState,
    gasBudget: number('budget'),
    durationSecs: number('duration') / 1_000,
    deadlineMs: number('deadline'),
    coins: readCoinList(field('coins')).map(({ objectId, version, digest }) => {
      return { objectId, version, digest };
    }),
    digest: text('claim.digest'),
    fence: number('fence'),
    leaseEndsMs: state === 'claimed' ? number('claim.lease') : null,
    begunMs: numberIfSet('begun'),
    executor: text('claim.executor'),
    isResumed: field('claim.resumed') !== '',
    rule: text('claim.rule'),
    waiters: readWaiters(field('claim.waiters')).length,
    usage: held.map(([counter = '', counts = '', amount = '', used = '']) => {
      return { counter: readEscaped(counter), counts, amount, used };
    }),
    refusal: field('refusal.digest')
      ? {
          digest: text('refusal.digest')!,
          message: text('refusal.message') ?? '',
          epoch: numberIfSet('refusal.epoch'),
          movedOnBy: text('refusal.movedOnBy'),
        }
      : null,
    keptForMs: number('keptMs') < 0 ? null : number('keptMs'),
  };
}

/**
 * The state of counters of limits, in the order of their names. A budget among `usage`, checks of these
 * counters by a transaction that is refused if a budget has no room for it, is announced as used up.
 */
export async function readUsagesFor(
  redis: CoinStoreRedis,
  sponsor: string,
  { counters, usage }: { counters: readonly string[]; usage: readonly ExpectedUsage[] },
): Promise<{
  readonly usages: readonly CurrentUsage[];
  readonly reached: readonly ReachedThreshold[];
}> {
  if (counters.length === 0) return { usages: [], reached: [] };
  const checks = usage.map((check) => writeCheck({ ...check, held: false }));
  const args = [...listOf(counters), ...recordsOf(checks)];
  const reply = await runScript(redis, 'read-usages', sponsor, ...args);
  const [read, reached] = reply as [usages: [used: string, endsInMs: number][], reached: unknown];
  return {
    usages: read.map(([used, endsInMs], index) => ({ counter: counters[index]!, used, endsInMs })),
    reached: readReached(reached),
  };
}
