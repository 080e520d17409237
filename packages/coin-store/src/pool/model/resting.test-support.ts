import type { GasCoin } from '@forecourt/ledger';
import { expect } from '@jest/globals';
import { aCoin, retentionMs } from '../../pool.test-support.js';
import { coinOf, type PoolBooks } from './pool-books.test-support.js';
import { adoptCoins } from '../adopt-coins.js';
import { renewCoin } from '../pool-snapshot.js';
import {
  abortMaintenance,
  beginMaintenance,
  finishMaintenance,
} from '../../upkeep/maintenance-operations.js';

export async function adopt(books: PoolBooks, coins: readonly GasCoin[]): Promise<void> {
  const { redis } = books.store;
  const lately = new Set(books.gone.map(({ objectId }) => objectId));
  const fresh = coins.filter(
    ({ objectId }) => !books.placed.has(objectId) && !lately.has(objectId),
  );
  expect(await adoptCoins(redis, books.sponsor, coins, books.rules)).toBe(fresh.length);
  for (const coin of fresh) books.rest(coin);
}

export async function setAside(books: PoolBooks, variant: number): Promise<void> {
  const from = (['treasury', 'dust', 'available'] as const)[variant % 3]!;
  const kind = from === 'dust' ? 'fold' : 'split';
  const request = { kind, from, maxCoins: 1 + (variant % 4), leaseMs: 0 } as const;
  const begun = await beginMaintenance(books.store.redis, books.sponsor, request);
  const there = books.inState(from);
  expect(begun === null).toBe(there.length === 0);
  if (!begun) return;
  expect(begun.coins.length).toBeLessThanOrEqual(request.maxCoins);
  for (const coin of begun.coins) {
    expect(there).toContainEqual({ ...coin, state: from, holder: null });
  }
  books.hold(begun.coins, 'maintenance', begun.operationId);
  books.asides.push(begun);
  books.count('setAside');
}

/** The split lands and its process dies before it records that; a scan of the ledger adopts the new coins. */
export async function landUnseen(books: PoolBooks, pick: number): Promise<void> {
  const open = books.asides.filter(({ operationId }) => books.isAside(operationId));
  const aside = open[pick % (open.length || 1)];
  if (!aside) return;
  aside.created ??= createdBy(aside.coins);
  await adopt(books, aside.created);
}

/** A coin of such a split leaves the pool before the split is recorded. */
export async function loseUnseen(books: PoolBooks, pick: number): Promise<void> {
  const open = books.asides.filter(({ operationId }) => books.isAside(operationId));
  const made = open.flatMap(({ created = [] }) => created.map(({ objectId }) => objectId));
  const there = [...books.placed.values()].filter(({ objectId }) => made.includes(objectId));
  const coin = there[pick % (there.length || 1)];
  if (!coin || !['available', 'dust', 'treasury'].includes(coin.state)) return;
  const renewal = { before: coin, after: null, rules: books.rules, retentionMs };
  expect(await renewCoin(books.store.redis, books.sponsor, renewal)).toBe(true);
  books.placed.delete(coin.objectId);
  books.gone.push(coinOf(coin));
}

export async function finish(books: PoolBooks, pick: number, variant: number): Promise<void> {
  const {
    operationId,
    coins,
    created = createdBy(coins),
  } = books.asides[pick % (books.asides.length || 1)] ?? { operationId: 'none', coins: [] };
  const isOpen = books.isAside(operationId);
  const gasCharged = variant % 3 ? BigInt(variant) : -BigInt(variant);
  const sum = coins.reduce((total, { balance }) => total + balance, 0n);
  const spent = created.reduce((total, { balance }) => total + balance, 0n);
  const returned = coins
    .slice(0, 1)
    .map((coin) => ({ ...coin, version: coin.version + 1, balance: sum - spent - gasCharged }));
  if (returned.some(({ balance }) => balance < 0n)) return;
  const result = { operationId, returned, created, rules: books.rules, gasCharged };
  expect(await finishMaintenance(books.store.redis, books.sponsor, result)).toBe(isOpen);
  if (!isOpen) return;
  books.become(coins, returned, gasCharged);
  const isGone = ({ objectId }: GasCoin) => books.gone.some((coin) => coin.objectId === objectId);
  for (const coin of created) {
    if (isGone(coin)) books.count('finish after a coin it made was smashed');
    else if (!books.placed.has(coin.objectId)) books.rest(coin);
  }
  books.count('finish');
}

function createdBy(coins: readonly GasCoin[]): GasCoin[] {
  const part = coins.reduce((total, { balance }) => total + balance, 0n) / 3n;
  return [aCoin(part), aCoin(part)];
}

export async function abort(books: PoolBooks, pick: number): Promise<void> {
  const { operationId, coins } = books.asides[pick % (books.asides.length || 1)] ?? {
    operationId: 'none',
    coins: [],
  };
  const isOpen = books.isAside(operationId);
  expect(await abortMaintenance(books.store.redis, books.sponsor, { operationId })).toBe(isOpen);
  if (!isOpen) return;
  for (const coin of coins) books.rest(coin);
  books.count('abort');
}

/**
 * The ledger shows a coin changed or gone, with any holder; some are at another place than the reader saw.
 */
export async function renew(books: PoolBooks, pick: number, variant: number): Promise<void> {
  const coins = [...books.placed.values()];
  const there = coins[pick % (coins.length || 1)];
  if (!there) return;
  const stale = variant % 6;
  const before = {
    ...there,
    ...(stale === 1 && { version: there.version + 1 }),
    ...(stale === 2 && { holder: there.holder === null ? '77' : null }),
    ...(stale === 3 && { balance: there.balance + 1n }),
  };
  const after =
    variant % 4 === 0
      ? null
      : { ...coinOf(there), version: there.version + 2, balance: books.balanceOf(variant) };
  const renewal = { before, after, rules: books.rules, retentionMs };
  const isRight =
    (stale < 1 || stale > 3) && ['available', 'dust', 'treasury', 'reserved'].includes(there.state);
  expect(await renewCoin(books.store.redis, books.sponsor, renewal)).toBe(isRight);
  if (!isRight) return;
  const holder = books.reservations.find(({ id }) => String(id) === there.holder);
  if (holder) books.endUnused(holder, 'expired');
  books.placed.delete(there.objectId);
  if (after) books.rest(after);
  else books.gone.push(coinOf(there));
  books.count(`renew ${there.state}`);
}
