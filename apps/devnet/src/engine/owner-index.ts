import type { Balance, ObjectRecord, Page } from './engine-interface.js';
import { SortedIds } from './sorted-ids.js';

interface CoinHolding {
  readonly ids: SortedIds;
  total: bigint;
}

interface Holdings {
  readonly all: SortedIds;
  readonly coins: Map<string, CoinHolding>;
}

interface PageRequest {
  readonly cursor?: string | null;
  readonly limit: number;
}

/** The objects and coins of every owner. */
export class OwnerIndex<T extends ObjectRecord> {
  readonly #holdings = new Map<string, Holdings>();

  constructor(private readonly find: (id: string) => T | undefined) {}

  replace(before: T | undefined, after: T | undefined): void {
    const from = before && ownerAddress(before);
    const to = after && ownerAddress(after);
    const stays = from !== null && from === to;
    if (before && from) this.take(from, before, stays);
    if (after && to) this.give(to, after, stays);
  }

  private take(owner: string, object: T, stays: boolean): void {
    const holdings = this.#holdings.get(owner)!;
    const holding = object.coin && holdings.coins.get(object.coin.coinType);
    if (holding) holding.total -= object.coin.balance;
    if (stays) return;
    holdings.all.remove(object.objectId);
    if (holding) {
      holding.ids.remove(object.objectId);
      if (holding.ids.size === 0) holdings.coins.delete(object.coin.coinType);
    }
    if (holdings.all.size === 0) this.#holdings.delete(owner);
  }

  private give(owner: string, object: T, stays: boolean): void {
    let holdings = this.#holdings.get(owner);
    if (!holdings) {
      holdings = { all: new SortedIds(), coins: new Map() };
      this.#holdings.set(owner, holdings);
    }
    if (!stays) holdings.all.add(object.objectId);
    if (!object.coin) return;
    let holding = holdings.coins.get(object.coin.coinType);
    if (!holding) {
      holding = { ids: new SortedIds(), total: 0n };
      holdings.coins.set(object.coin.coinType, holding);
    }
    holding.total += object.coin.balance;
    if (!stays) holding.ids.add(object.objectId);
  }

  listObjects(
    owner: string,
    request: PageRequest & { readonly filter?: (object: ObjectRecord) => boolean },
  ): Page<T> {
    const ids = this.#holdings.get(owner)?.all;
    return ids ? this.page(ids, request, request.filter) : EMPTY;
  }

  listCoins(owner: string, coinType: string | null, request: PageRequest): Page<T> {
    const coins = this.#holdings.get(owner)?.coins;
    if (coinType !== null) {
      const ids = coins?.get(coinType)?.ids;
      return ids ? this.page(ids, request) : EMPTY;
    }
    const all = new SortedIds();
    const types = [...(coins?.keys() ?? [])].sort();
    return types.length === 1
      ? this.page(coins!.get(types[0]!)!.ids, request)
      : this.pageOverTypes(types, coins, request, all);
  }

  private pageOverTypes(
    types: readonly string[],
    coins: ReadonlyMap<string, CoinHolding> | undefined,
    request: PageRequest,
    none: SortedIds,
  ): Page<T> {
    const data: T[] = [];
    const cursorType = request.cursor ? this.find(request.cursor)?.coin?.coinType : undefined;
    for (const type of types) {
      if (cursorType !== undefined && type < cursorType) continue;
      const cursor = type === cursorType ? request.cursor : null;
      const ids = coins?.get(type)?.ids ?? none;
      data.push(...this.page(ids, { cursor, limit: request.limit + 1 - data.length }).data);
      if (data.length > request.limit) break;
    }
    return toPage(data, request.limit);
  }

  private page(
    ids: SortedIds,
    { cursor, limit }: PageRequest,
    filter?: (object: ObjectRecord) => boolean,
  ): Page<T> {
    const data: T[] = [];
    for (const id of ids.after(cursor)) {
      const object = this.find(id)!;
      if (!filter || filter(object)) data.push(object);
      if (data.length > limit) break;
    }
    return toPage(data, limit);
  }

  balance(owner: string, coinType: string): Balance {
    const holding = this.#holdings.get(owner)?.coins.get(coinType);
    return {
      coinType,
      coinObjectCount: holding?.ids.size ?? 0,
      totalBalance: holding?.total ?? 0n,
    };
  }
}

const EMPTY: Page<never> = { data: [], nextCursor: null, hasNextPage: false };

function toPage<T extends ObjectRecord>(objects: T[], limit: number): Page<T> {
  const data = objects.slice(0, limit);
  return {
    data,
    nextCursor: data.at(-1)?.objectId ?? null,
    hasNextPage: objects.length > limit,
  };
}

function ownerAddress({ owner }: ObjectRecord): string | null {
  if (typeof owner === 'string') return null;
  if ('AddressOwner' in owner) return owner.AddressOwner;
  return 'ObjectOwner' in owner ? owner.ObjectOwner : null;
}
