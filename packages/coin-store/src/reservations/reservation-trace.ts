import type { CurrentUsage, ReservationState, ReservationTrace } from '@forecourt/contracts';
import { readCoinList } from '../pool/pool-coins.js';
import { readWaiters } from './reservations.js';
import {
  type CoinStoreRedis,
  fieldsOf,
  readEscaped,
  runScript,
} from '../scripts/prepare-coin-store.js';

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

/** The state of counters of limits, in the order of their names. Changes nothing. */
export async function readUsages(
  redis: CoinStoreRedis,
  sponsor: string,
  counters: readonly string[],
): Promise<readonly CurrentUsage[]> {
  if (counters.length === 0) return [];
  const reply = await runScript(redis, 'read-usages', sponsor, ...counters);
  const usages = reply as [used: string, endsInMs: number][];
  return usages.map(([used, endsInMs], index) => ({ counter: counters[index]!, used, endsInMs }));
}
