import { setTimeout as delay } from 'node:timers/promises';
import type { ComposeProject } from './compose-project.js';
import { type Audit, readAudit } from './read-audit.js';

/** An audit starts a process: not more often than this. */
const LOOK_EVERY_MS = 1_000;

/**
 * Waits until every coin of the ledger is in the pool and free, `coins` of them at least, for `timeoutMs` at most. What
 * is held or missing then; empty when nothing is.
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

function describe({ totals, ledger }: Audit, coins: number): string {
  const { available, ...others } = totals.coins;
  const held = Object.entries(others)
    .filter(([, count]) => Number(count) > 0)
    .map(([state, count]) => `${count} coins are ${state}`);
  if (Number(available) < coins) held.push(`${available} coins are available, not ${coins}`);
  if (held.length === 0 && available !== ledger.coins) {
    held.push(`${available} coins are available, ${ledger.coins} are on the ledger`);
  }
  return held.join(', ');
}
