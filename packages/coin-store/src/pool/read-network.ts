import { type CoinStoreRedis, runOnPool } from '../scripts/prepare-coin-store.js';

/** The chain identifier of the network of the sponsors' pools; null while none of them has a pool. */
export async function readNetwork(
  redis: CoinStoreRedis,
  sponsors: readonly string[],
): Promise<string | null> {
  for (const sponsor of sponsors) {
    const chain = (await runOnPool(redis, 'read-network', sponsor)) as string | null;
    if (chain !== null) return chain;
  }
  return null;
}
