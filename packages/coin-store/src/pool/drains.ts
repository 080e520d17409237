import { type CoinStoreRedis, poolKey, runScript } from '../scripts/run-script.js';

/** Reason and author of a drain. */
export interface Drain {
  readonly reason: string;
  /** Name of the operator's token. */
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** The transfer of funds of a drained sponsor to an address. Amounts in the smallest unit. */
export interface Withdrawal {
  readonly id: string;
  readonly to: string;
  /** The ordered amount; null: all funds. */
  readonly amount: bigint | null;
  /** The rest that no transaction is bound to send yet; null without an amount. */
  readonly left: bigint | null;
  readonly by: string;
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly since: number;
  /**
   * Number of withdrawn coins, their balance (of an amount: what was sent and the gas), and the gas paid: the
   * address has received the difference.
   */
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

/**
 * Drains a sponsor: its pool gives no further reservation, and no coin is split or consolidated. Existing
 * reservations may still be used. A repeated call replaces the reason.
 */
export async function drainSponsor(
  redis: CoinStoreRedis,
  sponsor: string,
  { reason, by, since }: Drain,
): Promise<void> {
  await redis.set(poolKey(sponsor, 'drain'), JSON.stringify({ reason, by, since }));
}

/** Ends a drain, and stops a withdrawal from taking more coins. False when the sponsor was not drained. */
export async function undrainSponsor(redis: CoinStoreRedis, sponsor: string): Promise<boolean> {
  return (await runScript(redis, 'undrain-sponsor', sponsor)) === 1;
}

/** Reads whether a sponsor is drained, and its latest withdrawal. */
export async function readDrain(redis: CoinStoreRedis, sponsor: string): Promise<DrainState> {
  const [drain, withdrawal] = await Promise.all([
    redis.get(poolKey(sponsor, 'drain')),
    redis.hgetall(poolKey(sponsor, 'withdrawal')),
  ]);
  return {
    drain: drain === null ? null : parseDrain(drain),
    withdrawal: readWithdrawal(withdrawal),
  };
}

/** Throws `SyntaxError` when the text is not JSON. */
export function parseDrain(text: string): Drain {
  return JSON.parse(text) as Drain;
}

function readWithdrawal(stored: Readonly<Record<string, string>>): Withdrawal | null {
  const {
    address: to,
    id = '',
    amount,
    left,
    by = '',
    reason = '',
    since,
    coins = 0,
    balance = 0,
    gas = 0,
    digest,
    ended,
  } = stored;
  if (to === undefined) return null;
  return {
    id,
    to,
    amount: amount === undefined ? null : BigInt(amount),
    left: left === undefined ? null : BigInt(left),
    by,
    reason,
    since: Number(since),
    coins: Number(coins),
    balance: BigInt(balance),
    gas: BigInt(gas),
    digest: digest || null,
    ended: ended ? Number(ended) : null,
  };
}
