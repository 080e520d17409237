import { type CoinState, type PoolTotals, readPoolTotals } from '@forecourt/coin-store';
import type { PoolParts } from '../pool/pool-parts.js';
import { runMaintenance } from './run-maintenance.js';
import { coinsThatFit, splitBudget } from './split-costs.js';

/** Coins in these states are, or will soon be, there to sponsor with. */
const SERVING: readonly CoinState[] = ['available', 'reserved', 'claimed', 'executing'];

/**
 * Splits what the treasury holds until the pool has its target number of coins: first one large coin into a few, so that
 * they can be split side by side. Starts when the pool is below its minimum and goes on to the target.
 */
export async function fillPool(
  parts: PoolParts,
  sponsor: string,
  stopped: AbortSignal,
): Promise<void> {
  const { redis, settings, logger } = parts;
  const before = countServing(await readPoolTotals(redis, sponsor));
  if (before >= settings.minCoins) return;
  const startedAt = performance.now();
  for (let have = before; have < settings.targetCoins && !stopped.aborted;) {
    const totals = await readPoolTotals(redis, sponsor);
    have = countServing(totals);
    const made = await splitSideBySide(parts, sponsor, settings.targetCoins - have, totals);
    if (made === 0) break;
    have = countServing(await readPoolTotals(redis, sponsor));
    const seconds = (performance.now() - startedAt) / 1_000;
    logger.info(
      {
        ...{ sponsor, coins: have, target: settings.targetCoins },
        coinsPerSecond: Math.round((have - before) / seconds),
      },
      'filling the pool',
    );
  }
}

function countServing({ coins }: PoolTotals): number {
  return SERVING.reduce((sum, state) => sum + Number(coins[state]), 0);
}

/** One round of splits at once; returns how many of them made something. */
async function splitSideBySide(
  parts: PoolParts,
  sponsor: string,
  wanted: number,
  { coins }: PoolTotals,
): Promise<number> {
  if (wanted <= 0) return 0;
  const { splitConcurrency, targetBalance } = parts.settings;
  const sources = Number(coins.treasury);
  const lanes = Math.min(splitConcurrency, Math.ceil(wanted / 100));
  if (sources > 0 && sources < lanes) {
    if (await splitInto(parts, sponsor, lanes, wanted)) return 1;
  }
  const each = Math.ceil(wanted / Math.max(1, Math.min(sources, lanes)));
  const splits = Array.from({ length: Math.min(sources, lanes) }, () =>
    splitOff(parts, sponsor, targetBalance, each),
  );
  const made = await Promise.all(splits);
  return made.filter(Boolean).length;
}

/** Splits `count` coins of `amount` off the largest coin of the treasury, or as many as it pays for. */
async function splitOff(
  parts: PoolParts,
  sponsor: string,
  amount: bigint,
  most: number,
): Promise<boolean> {
  const { ledger } = parts;
  const { referenceGasPrice: gasPrice } = await ledger.status();
  const request = { kind: 'split', from: 'treasury', maxCoins: 1 } as const;
  return runMaintenance(parts, sponsor, request, async (coins) => {
    const count = coinsThatFit(coins[0]!.balance, amount, gasPrice, most);
    if (count === 0) return null;
    const gasBudget = splitBudget(count, gasPrice);
    const split = { sponsor, coins, amount, count, gasPrice, gasBudget };
    return { ...(await ledger.buildSplit(split)), amount };
  });
}

/** Splits the largest coin of the treasury into `lanes` that can each make their share. */
async function splitInto(
  parts: PoolParts,
  sponsor: string,
  lanes: number,
  wanted: number,
): Promise<boolean> {
  const { ledger, settings } = parts;
  const { referenceGasPrice: gasPrice } = await ledger.status();
  const share = Math.ceil(wanted / lanes);
  // Enough for its share of coins with their gas, and above what counts as treasury.
  const needed =
    BigInt(share) * (settings.targetBalance + 988_000n) +
    splitBudget(0, gasPrice) * BigInt(Math.ceil(share / 500));
  const amount = needed > parts.rules.treasuryFrom ? needed : parts.rules.treasuryFrom;
  return splitOff(parts, sponsor, amount, lanes - 1);
}
