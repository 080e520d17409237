import type { RebuildCause, SettledResult } from '@forecourt/contracts';
import type { GasCoin, ObjectReference } from '@forecourt/ledger';
import { type PlacementRules, placeOf } from './placement-rules.js';
import { writeCoin } from './stored-coins.js';
import { type CoinStoreRedis, poolKey, runScript } from '../scripts/run-script.js';

/** A transaction that the sponsor has paid for and that its pool has no record of. */
export interface FoundTransaction {
  readonly digest: string;
  /** In the smallest unit; negative when the rebate exceeded the cost. */
  readonly gasCharged: bigint;
  /** Null: the sponsor’s own transaction. */
  readonly sponsorship: FoundSponsorship | null;
}

/** A sponsorship as far as the ledger knows it. */
interface FoundSponsorship {
  /** Of its record, unless a reservation was bound to it. */
  readonly id: number;
  /** In ms since 1970. */
  readonly executedAt: number;
  readonly gasBudget: bigint;
  readonly payment: readonly ObjectReference[];
  readonly result: SettledResult;
  readonly sender: string;
  readonly commands: readonly string[];
  /** It has paid with the coins of the reservation that holds the renewed coin. */
  readonly isBound: boolean;
}

/** The time between two versions of a coin as the ledger shows it. */
export interface CoinPast {
  /** Those that the coin has paid for, the oldest first. */
  readonly found: readonly FoundTransaction[];
  /** The further loss of balance, in transactions that the ledger no longer has. */
  readonly unexplained: bigint;
  readonly cause: RebuildCause;
}

/** The last arguments of a script, as `takeFound` of `lua/includes/found-transactions.lua` reads them. */
export function writeFound(found: readonly FoundTransaction[]): (string | number)[] {
  return found.flatMap(({ digest, gasCharged, sponsorship }) => [
    digest,
    String(gasCharged),
    ...(sponsorship === null ? NO_SPONSORSHIP : writeSponsorship(sponsorship)),
  ]);
}

const NO_SPONSORSHIP = Array<string>(8).fill('');

function writeSponsorship(one: FoundSponsorship): (string | number)[] {
  return [
    one.id,
    one.isBound ? 1 : '',
    one.executedAt,
    String(one.gasBudget),
    one.payment.map(writePayment).join(','),
    JSON.stringify(one.result),
    one.sender,
    JSON.stringify(one.commands),
  ];
}

/** As a reserved coin is stored; its balance is not known any longer. */
function writePayment(coin: ObjectReference): string {
  return writeCoin({ ...coin, balance: 0n }, '0');
}

/** Adopts a new coin that has paid for transactions already. False for one that is not new. */
export async function adoptUsedCoin(
  redis: CoinStoreRedis,
  sponsor: string,
  coin: GasCoin,
  { found, cause }: Pick<CoinPast, 'found' | 'cause'>,
  rules: PlacementRules,
): Promise<boolean> {
  const stored = writeCoin(coin, placeOf(coin.balance, rules));
  const args = [coin.objectId, stored, cause, ...writeFound(found)];
  return (await runScript(redis, 'adopt-used-coin', sponsor, ...args)) === 1;
}

/**
 * The time, in ms since 1970, since which Redis may have lost writes about a pool; null: it has lost none
 * lately.
 */
export async function readLostSince(
  redis: CoinStoreRedis,
  sponsor: string,
): Promise<number | null> {
  const since = await redis.get(poolKey(sponsor, 'lost-since'));
  return since === null ? null : Number(since);
}

/** The digests of the transactions that were found lately. */
export function listFound(redis: CoinStoreRedis, sponsor: string): Promise<string[]> {
  return redis.smembers(poolKey(sponsor, 'found'));
}

/** The ids of the coins that have left the pool lately. */
export function listDropped(redis: CoinStoreRedis, sponsor: string): Promise<string[]> {
  return redis.zrange(poolKey(sponsor, 'gone'), '0', '-1');
}
