import { type PoolTotals, readPoolTotals, readSuspension } from '@forecourt/coin-store';
import { startStopwatch } from '@forecourt/runtime/metrics';
import type { MaintenanceDependencies, MaintenanceSettings } from './maintenance-dependencies.js';
import type { RefillOutcome } from '../metrics/pool-metrics.js';
import { countServing } from './count-serving.js';
import { MaintenanceFailed } from './maintenance-failed.js';
import type { MaintenanceOutcome } from './maintenance-outcome.js';
import { splitIntoLanes, splitLargeAvailable, splitOff } from './split-coins.js';

const COINS_PER_LANE = 100;

/** Whether `fillPool` has work to do. */
export function needsFilling(
  totals: PoolTotals,
  threshold: number,
  settings: Pick<MaintenanceSettings, 'targetCoins' | 'minFreeShare'>,
): boolean {
  return countServing(totals) < wantedCoins(totals, threshold, settings);
}

/**
 * Splits the treasury until the pool has its target number of coins: first one large coin into a few, which can
 * then be split concurrently. Starts when the pool is below `threshold` coins, or when too few are free. True: the
 * target is reached, or no coin is left to split. Throws `MaintenanceFailed`.
 */
export async function fillPool(
  dependencies: MaintenanceDependencies,
  sponsor: string,
  threshold: number,
  stopped: AbortSignal,
): Promise<boolean> {
  const { redis, settings, metrics } = dependencies;
  const totals = await readPoolTotals(redis, sponsor);
  const goal = wantedCoins(totals, threshold, settings);
  if (countServing(totals) >= goal) return countServing(totals) >= settings.targetCoins;
  try {
    const { coins, complete } = await refill(dependencies, sponsor, totals, goal, stopped);
    metrics.refills.add({ outcome: nameOutcome(coins >= goal, complete) });
    return complete;
  } catch (error) {
    metrics.refills.add({ outcome: 'failed' });
    throw error;
  }
}

function nameOutcome(isFilled: boolean, isComplete: boolean): RefillOutcome {
  if (isFilled) return 'filled';
  return isComplete ? 'short' : 'unfinished';
}

/**
 * Target number of usable coins. Reserved coins count too, but a pool whose coins are nearly all reserved gets
 * more, up to twice its target, so that a caller who hoards coins does not exhaust the pool for others.
 */
function wantedCoins(
  totals: PoolTotals,
  threshold: number,
  { targetCoins, minFreeShare }: Pick<MaintenanceSettings, 'targetCoins' | 'minFreeShare'>,
): number {
  const serving = countServing(totals);
  const free = Number(totals.coins.available);
  if (free * 100 < targetCoins * minFreeShare) {
    return Math.min(2 * targetCoins, serving + targetCoins - free);
  }
  return serving < threshold ? targetCoins : 0;
}

/** `coins`: number of usable coins now. `complete`: the target is reached, or no more coins can be made. */
async function refill(
  dependencies: MaintenanceDependencies,
  sponsor: string,
  found: PoolTotals,
  goal: number,
  stopped: AbortSignal,
): Promise<{ readonly coins: number; readonly complete: boolean }> {
  const { redis, logger } = dependencies;
  const before = countServing(found);
  let totals = found;
  const seconds = startStopwatch();
  while (countServing(totals) < goal && !stopped.aborted) {
    const outcomes = await splitSideBySide(dependencies, sponsor, totals, goal);
    if (outcomes.includes('failed')) throw new MaintenanceFailed('Coins could not be split');
    totals = await readPoolTotals(redis, sponsor);
    const coins = countServing(totals);
    if (!outcomes.includes('made')) {
      const isInterrupted =
        outcomes.includes('overtaken') || (await readSuspension(redis, sponsor)) !== null;
      return { coins, complete: totals.coins.maintenance === 0n && !isInterrupted };
    }
    const coinsPerSecond = Math.round((coins - before) / seconds());
    logger.info({ sponsor, coins, target: goal, coinsPerSecond }, 'Pool being filled');
  }
  const coins = countServing(totals);
  return { coins, complete: coins >= goal };
}

/** One round of concurrent splits. */
async function splitSideBySide(
  dependencies: MaintenanceDependencies,
  sponsor: string,
  totals: PoolTotals,
  goal: number,
): Promise<MaintenanceOutcome[]> {
  const { splitConcurrency, targetBalance } = dependencies.settings;
  const wanted = goal - countServing(totals);
  const sources = Number(totals.coins.treasury);
  const lanes = Math.min(splitConcurrency, Math.ceil(wanted / COINS_PER_LANE));
  if (sources === 0) return [await splitLargeAvailable(dependencies, sponsor, totals, wanted)];
  if (sources < lanes) {
    const outcome = await splitIntoLanes(dependencies, sponsor, lanes, wanted);
    if (outcome !== 'idle') return [outcome];
  }
  const splits = Math.min(sources, lanes);
  const each = Math.ceil(wanted / splits);
  return Promise.all(
    Array.from({ length: splits }, () => splitOff(dependencies, sponsor, targetBalance, each)),
  );
}
