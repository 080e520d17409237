import { escapeText, readEscaped } from '@forecourt/contracts';
import type { GasCoin } from '@forecourt/ledger';
import { expect } from '@jest/globals';
import { entriesOf } from '../../history/entries.test-support.js';
import { retentionMs, type TestStore, waiter } from '../../pool.test-support.js';
import {
  COUNTER,
  LIMITED,
  LIMITED_TOGETHER,
  type ModelReservation,
  type ReservationState,
} from './model-reservation.test-support.js';
import { type CoinState, coinStates } from '../pool-totals.js';
import { isDust, type PlacementRules, placeOf } from '../placement-rules.js';
import { type PlacedCoin, snapshotPool } from '../pool-snapshot.js';
import { findReservation } from '../../reservations/reservation-lookups.js';

/** The expected contents of a pool, and the comparison with it. */
export class PoolBooks {
  readonly done = new Map<string, number>();
  readonly placed = new Map<string, PlacedCoin>();
  readonly gone: GasCoin[] = [];
  readonly reservations: ModelReservation[] = [];
  /** `created`: the coins that its transaction has made, once that has landed. */
  readonly asides: { operationId: string; coins: readonly GasCoin[]; created?: GasCoin[] }[] = [];
  /** Coin version → the digest signed for it and not refused. */
  readonly signed = new Map<string, string>();
  gas = 0n;
  smashed = 0n;
  used = 0n;
  usedWithin = false;

  constructor(
    readonly store: TestStore,
    readonly sponsor: string,
    readonly rules: PlacementRules,
    readonly hasHistory: boolean,
  ) {}

  async check(): Promise<void> {
    const { redis } = this.store;
    const { faults, coins, totals } = await snapshotPool(redis, this.sponsor);
    expect(faults).toEqual([]);
    const text = ({ objectId, version, balance, state, holder }: PlacedCoin) =>
      `${objectId}:${version} ${balance} ${state} ${holder}`;
    expect(coins.map(text).toSorted()).toEqual([...this.placed.values()].map(text).toSorted());
    for (const state of coinStates) {
      const there = [...this.placed.values()].filter((coin) => coin.state === state);
      const balance = there.reduce((sum, coin) => sum + coin.balance, 0n);
      expect([state, totals.coins[state], totals.balance[state]]).toEqual([
        state,
        BigInt(there.length),
        balance,
      ]);
    }
    expect([totals.gasCharged, totals.smashed]).toEqual([this.gas, this.smashed]);

    const counted = this.reservations.filter(
      ({ isCounted, state }) =>
        isCounted && ['reserved', 'claimed', 'executing', 'quarantined'].includes(state),
    );
    for (const name of [LIMITED, LIMITED_TOGETHER]) {
      const key = this.key(`caller:${escapeText(name)}`);
      const [coinsReserved, budgetReserved] = await redis.hmget(key, 'coins', 'budget');
      expect([name, Number(coinsReserved), Number(budgetReserved)]).toEqual([
        name,
        counted.reduce((sum, { coins: { length } }) => sum + length, 0),
        counted.reduce((sum, { budget }) => sum + budget, 0),
      ]);
    }
    const used = await redis.hget(this.key(`usage:${COUNTER}`), 'used');
    expect(used).toBe(this.usedWithin ? String(this.used) : null);
  }

  /** Asserts the state that callers see of every reservation, and that only ended ones are forgotten. */
  async checkReservations(): Promise<void> {
    const { redis } = this.store;
    for (const one of this.reservations) {
      const message = { reservationId: one.id, caller: one.caller, digest: 'none', waiter };
      const { found } = await findReservation(redis, this.sponsor, message, this.rules);
      const coins = isOver(one) ? [] : one.coins;
      const balance = coins.reduce((sum, coin) => sum + coin.balance, 0n);
      expect(found).toMatchObject({
        state: one.state === 'reserved' && one.isOverdue ? 'expired' : one.state,
        gasBudget: one.budget,
        coins: coins.map(({ objectId, version, digest }) => ({ objectId, version, digest })),
        mayLeaveDust: isDust(balance - BigInt(one.budget), this.rules),
        fence: one.fence,
        digest: one.digest,
        refusal: one.refusal,
      });
      const left = await redis.pttl(this.key(`reservation:${one.id}`));
      expect(isOver(one) ? left > 0 && left <= retentionMs : left === -1).toBe(true);
      const isInFlight = ['claimed', 'executing', 'quarantined'].includes(one.state);
      const isKept = this.hasHistory && one.state === 'reserved' && one.lastDigest !== '';
      expect(await redis.exists(this.key(`payload:${one.id}`))).toBe(isInFlight || isKept ? 1 : 0);
    }
  }

  /**
   * Asserts that history has one entry for each ended reservation, or none at all; only open ones have a
   * trail.
   */
  async checkHistory(): Promise<void> {
    const { redis } = this.store;
    const entries = await entriesOf(redis, this.sponsor);
    const found = entries.map(({ id, state, digest, coins }) => {
      return [id, state, readEscaped(digest), coins.split(',').length].join(' ');
    });
    const ended = this.hasHistory ? this.reservations.filter(isOver) : [];
    const expected = ended.map(({ id, state, lastDigest, coins }) => {
      return [id, state, lastDigest, coins.length].join(' ');
    });
    expect(found.toSorted()).toEqual(expected.toSorted());
    const open = this.reservations.filter((one) => !isOver(one)).map(({ id }) => id);
    const trails = await redis.keys(this.key('trail:*'));
    const kept = trails.map((key) => Number(key.split(':').at(-1)));
    expect(kept.filter((id) => !this.hasHistory || !open.includes(id))).toEqual([]);
  }

  /** Most often one in such a state; sometimes any, and the youngest more often than the oldest. */
  pickOf(pick: number, ...states: readonly ReservationState[]): ModelReservation | undefined {
    const fitting = this.reservations.filter(({ state }) => states.includes(state));
    const from = pick % 6 === 0 || fitting.length === 0 ? this.reservations : fitting;
    return from[from.length - 1 - (pick % 5)] ?? from[0];
  }

  /** The name of a reservation's claim, sometimes a wrong one. */
  jobOf(one: ModelReservation, pick: number) {
    const digest = pick % 9 === 0 ? 'D9' : (one.digest ?? 'D9');
    const fence = pick % 10 === 0 ? one.fence + 1 : one.fence;
    return { digest, fence, isRight: digest === one.digest && fence === one.fence };
  }

  balanceOf(variant: number): bigint {
    const large = [2n ** 53n + 1n, 10n ** 15n, 2n ** 55n - 1n, 9_999_999_999_999n];
    const small = [0n, 20n, 150_000n, 700_000n, 2_900_000n, 5_000_000n];
    return variant % 8 === 0
      ? large[(variant / 8) % large.length]!
      : small[variant % small.length]!;
  }

  anyKnown(pick: number): GasCoin[] {
    const known = [...this.placed.values()].map(coinOf);
    return [...known.slice(pick % 7, (pick % 7) + 2), ...this.gone.slice(-1)];
  }

  inState(state: CoinState): PlacedCoin[] {
    return [...this.placed.values()].filter((coin) => coin.state === state);
  }

  isAside(operationId: string): boolean {
    return [...this.placed.values()].some(({ holder }) => holder === operationId);
  }

  hold(coins: readonly GasCoin[], state: CoinState, holder: string): void {
    for (const coin of coins) this.placed.set(coin.objectId, { ...coin, state, holder });
  }

  rest(coin: GasCoin): void {
    const place = placeOf(coin.balance, this.rules);
    const state = place === 'd' ? 'dust' : place === 't' ? 'treasury' : 'available';
    this.placed.set(coin.objectId, { ...coin, state, holder: null });
  }

  /** Sets the coins that a transaction of the sponsor's has made. */
  become(before: readonly GasCoin[], after: readonly GasCoin[], gasCharged: bigint): void {
    for (const coin of before) {
      const now = after.find(({ objectId }) => objectId === coin.objectId);
      if (now) {
        this.rest(now);
        continue;
      }
      this.placed.delete(coin.objectId);
      this.gone.push(coin);
      this.smashed += 1n;
    }
    this.gas += gasCharged;
  }

  reopen(one: ModelReservation): void {
    this.used -= one.held;
    Object.assign(one, { digest: null, held: 0n, input: null, isResumed: false });
    if (one.isOverdue) return this.endUnused(one, 'expired');
    one.state = 'reserved';
    this.hold(one.coins, 'reserved', String(one.id));
  }

  endUnused(one: ModelReservation, state: 'expired' | 'released'): void {
    one.state = state;
    for (const coin of one.coins) this.rest(coin);
  }

  unsign(one: ModelReservation): void {
    for (const { objectId, version } of one.coins) this.signed.delete(`${objectId}@${version}`);
  }

  key(name: string): string {
    return `fc:{${this.sponsor}}:${name}`;
  }

  count(what: string, times = 1): void {
    this.done.set(what, (this.done.get(what) ?? 0) + times);
  }
}

function isOver({ state }: ModelReservation): boolean {
  return ['executed', 'expired', 'released'].includes(state);
}

export function coinOf({ objectId, version, digest, balance }: GasCoin): GasCoin {
  return { objectId, version, digest, balance };
}
