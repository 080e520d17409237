import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';
import { type Drain, parseDrain } from './drain.js';

/** The transfer of a drained sponsor's funds to an address. Amounts in the smallest unit. */
export interface Withdrawal {
  readonly to: string;
  readonly by: string;
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  /** Number of withdrawn coins, their balance, and the gas paid: the address has received the difference. */
  readonly coins: number;
  readonly balance: bigint;
  readonly gas: bigint;
  /** Of its last transaction; null before the first. */
  readonly digest: string | null;
  /** Milliseconds since 1970; null while it is under way. */
  readonly ended: number | null;
}

export interface DrainState {
  /** Null: the sponsor is not drained. */
  readonly drain: Drain | null;
  /** The latest one; null: there was none. */
  readonly withdrawal: Withdrawal | null;
}

/** Reads whether a sponsor is drained, and its latest withdrawal. */
export async function readDrain(redis: CoinStoreRedis, sponsor: string): Promise<DrainState> {
  const [drain, pairs] = (await runOnPool(redis, 'read-drain', sponsor)) as [string, string[]];
  return {
    drain: drain === '' ? null : parseDrain(drain),
    withdrawal: pairs.length === 0 ? null : parseWithdrawal(pairs),
  };
}

function parseWithdrawal(pairs: readonly string[]): Withdrawal {
  const fields = new Map<string, string>();
  for (let i = 0; i < pairs.length; i += 2) fields.set(pairs[i]!, pairs[i + 1]!);
  const field = (name: string) => fields.get(name) ?? '';
  return {
    to: field('to'),
    by: field('by'),
    reason: field('reason'),
    since: Number(field('since')),
    coins: Number(field('coins')),
    balance: BigInt(field('balance')),
    gas: BigInt(field('gas')),
    digest: field('digest') || null,
    ended: field('ended') === '' ? null : Number(field('ended')),
  };
}
