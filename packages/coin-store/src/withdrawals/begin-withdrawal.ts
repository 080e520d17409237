import { randomUUID } from 'node:crypto';
import type { GasCoin } from '@forecourt/ledger';
import { readCoinList } from '../pool/coin-record.js';
import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/**
 * Takes coins for the ordered withdrawal to `to`: one that pays the gas, then dust, then the others. No coins: none
 * are left. Null when it may not begin now, because another operation or reservation has coins or the order has
 * ended.
 */
export async function beginWithdrawal(
  redis: CoinStoreRedis,
  sponsor: string,
  request: {
    to: string;
    maxCoins: number;
    /** Lease of the operation without a transaction. */
    leaseMs: number;
  },
): Promise<{ operationId: string; coins: GasCoin[] } | null> {
  const operationId = randomUUID();
  const { to, maxCoins, leaseMs } = request;
  const args = [operationId, to, maxCoins, leaseMs];
  const reply = (await runOnPool(redis, 'begin-withdrawal', sponsor, ...args)) as string | null;
  return reply === null ? null : { operationId, coins: readCoinList(reply) };
}
