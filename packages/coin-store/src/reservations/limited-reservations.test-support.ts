import type { ReservationLimits } from '@forecourt/contracts';
import { caller, type TestStore } from '../pool.test-support.js';
import { reserveGas, type StoredCoins, type UsedUp } from './reserve-gas.js';

export const noLimits: ReservationLimits = {
  coins: null,
  budget: null,
  coinsPerMinute: null,
  budgetPerMinute: null,
  poolShare: null,
  unusedPerMinute: null,
};

interface Requests {
  readonly gasBudget?: number;
  readonly durationMs?: number;
  /** How many alike are made at once. */
  readonly times?: number;
  readonly who?: string;
  /** The limits of all users of the token together. */
  readonly together?: Partial<ReservationLimits>;
}

/** Reserves gas within limits, and describes each reply. */
export const reserveIn =
  (store: TestStore) =>
  async (
    sponsor: string,
    limits: Partial<ReservationLimits>,
    { gasBudget = 500_000, durationMs = 60_000, times = 1, who = caller, together }: Requests = {},
  ): Promise<string[]> => {
    const request = {
      caller: who,
      gasBudget,
      durationMs,
      limits: { ...noLimits, ...limits },
      ...(together && { usersLimits: { ...noLimits, ...together } }),
    };
    const replies = await reserveGas(store.redis, sponsor, Array(times).fill(request));
    return replies.map((one) => describeReply(one));
  };

export const describeReply = (reply: StoredCoins | UsedUp | null) =>
  reply === null ? 'no coins' : 'usedUp' in reply ? reply.usedUp : `${reply.coins.length} coins`;

export const balances = (count: number) => Array<number>(count).fill(700_000);
