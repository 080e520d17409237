import { setTimeout as delay } from 'node:timers/promises';
import { untilAtRest } from '../../chaos/until-at-rest.js';
import type { AttackedSystem } from './start-attacked-system.js';

const LOOK_EVERY_MS = 100;
const REST_MS = 120_000;

/**
 * Waits until every reservation has ended, the pool is back at its target and the node shows it; returns the
 * violations. `reservationsEndAt`: milliseconds since 1970, including the time of the sweep; a coin held
 * after that was held too long. Epochs end only after that.
 */
export async function settlePool(
  { system, sponsors, totals, poolCoins }: AttackedSystem,
  reservationsEndAt: number,
): Promise<readonly string[]> {
  const violations: string[] = [];
  for (;;) {
    const { coins } = await totals();
    const held = coins.reserved + coins.claimed + coins.executing + coins.quarantined;
    if (held === 0n) break;
    if (Date.now() > reservationsEndAt) {
      const { reserved, claimed, executing, quarantined } = coins;
      violations.push(
        `coins are held after every reservation is over: ${reserved} reserved, ${claimed} claimed, ` +
          `${executing} executing, ${quarantined} quarantined`,
      );
      break;
    }
    await delay(LOOK_EVERY_MS);
  }
  const pools = { totals, control: system.control };
  const freed = await untilAtRest(pools, 0, performance.now() + REST_MS);
  if (!freed.atRest) violations.push(`the pool does not settle: ${freed.held}`);
  const all = sponsors.length * poolCoins;
  // A pool is filled only below its minimum number of coins; the new configuration sets the minimum to the
  // target.
  for (const service of system.services('coin-pool')) {
    await service.stop();
    await service.start({ POOL_MIN_COINS: String(poolCoins) });
  }
  const full = await untilAtRest(pools, all, performance.now() + REST_MS);
  if (!full.atRest) violations.push(`the pool is not filled again: ${full.held}`);
  await system.control.untilShown();
  return violations;
}
