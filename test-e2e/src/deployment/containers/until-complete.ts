import { setTimeout as delay } from 'node:timers/promises';
import type { CoinState } from '@forecourt/coin-store';
import type { ComposeProject } from './compose-project.js';
import { type Audit, readAudit } from './read-audit.js';

/** An audit starts a process: do not run it more often than this. */
const LOOK_EVERY_MS = 1_000;
const HELD: readonly CoinState[] = [
  'reserved',
  'claimed',
  'executing',
  'quarantined',
  'maintenance',
];

/**
 * Waits until no coin is held and at least `coins` are available, for `timeoutMs` at most. Returns a
 * description of held or missing coins; empty if there are none.
 */
export async function untilComplete(
  project: ComposeProject,
  coins: number,
  timeoutMs: number,
): Promise<{ readonly audit: Audit; readonly missing: string }> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const isLate = performance.now() > deadline;
    // There is no pool before the first coin is found, and no answer while Redis starts.
    const audit = await readAudit(project).catch((error: unknown) => {
      if (isLate) throw error;
      return null;
    });
    const missing = audit && describe(audit, coins);
    if (audit && missing !== null && (missing === '' || isLate)) return { audit, missing };
    await delay(LOOK_EVERY_MS);
  }
}

function describe({ totals }: Audit, coins: number): string {
  const held = HELD.filter((state) => Number(totals.coins[state]) > 0).map(
    (state) => `${totals.coins[state]} coins are ${state}`,
  );
  const { available } = totals.coins;
  if (Number(available) < coins) held.push(`${available} coins are available, not ${coins}`);
  return held.join(', ');
}
