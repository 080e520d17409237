import { setTimeout as delay } from 'node:timers/promises';

const PATIENCE_MS = 30_000;
const ASK_EVERY_MS = 50;

/** Asks until it holds. Throws naming `what` when that takes too long. */
export async function untilHolds(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`${what}: not within ${PATIENCE_MS} ms`);
    await delay(ASK_EVERY_MS);
  }
}
