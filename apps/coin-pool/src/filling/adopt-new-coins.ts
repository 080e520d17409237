import { adoptCoins, coinStates, readPoolTotals } from '@forecourt/coin-store';
import type { PoolParts } from '../pool/pool-parts.js';

/**
 * Takes coins into the pool that the sponsor owns and the pool does not know: at first all, later new funds. Coins are
 * counted first: reading them all is left for when the ledger has more than the pool, and for `thorough` looks, since as
 * many may have left as have come.
 */
export async function adoptNewCoins(
  parts: PoolParts,
  sponsor: string,
  thorough = false,
): Promise<void> {
  const { redis, ledger, rules, logger } = parts;
  const { coins } = await readPoolTotals(redis, sponsor);
  const pooled = coinStates.reduce((sum, state) => sum + coins[state], 0n);
  if (!thorough && (await ledger.countGasCoins(sponsor)) <= pooled) return;
  let adopted = 0;
  for await (const page of ledger.listGasCoins(sponsor)) {
    adopted += await adoptCoins(redis, sponsor, page, rules);
  }
  if (adopted > 0) logger.info({ sponsor, adopted }, 'coins adopted from the ledger');
}
