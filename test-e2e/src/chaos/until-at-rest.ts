import { setTimeout as delay } from 'node:timers/promises';
import { type CoinState, coinStates } from '@forecourt/coin-store';
import type { TestSystem } from '../test-system.js';

const LOOK_EVERY_MS = 50;
const EPOCH_EVERY_MS = 2_000;

/** Somebody or something holds coins in these states. */
const HELD: readonly CoinState[] = [
  'reserved',
  'claimed',
  'executing',
  'quarantined',
  'maintenance',
];

/**
 * Waits until nothing holds a coin and at least `full` coins can be handed out, at most until `deadline` (by
 * `performance.now()`). Epochs end meanwhile, as long as a quarantined coin waits for that. True: it came to that; with
 * what is held otherwise.
 */
export async function untilAtRest(
  { totals, control }: TestSystem,
  full: number,
  deadline: number,
): Promise<{ readonly atRest: boolean; readonly held: string }> {
  let epochEndedAt = performance.now();
  for (;;) {
    const { coins } = await totals();
    const held = HELD.filter((state) => coins[state] > 0n);
    if (held.length === 0 && coins.available >= BigInt(full)) return { atRest: true, held: '' };
    if (performance.now() > deadline) {
      const text = coinStates.map((state) => `${state} ${coins[state]}`).join(', ');
      return { atRest: false, held: text };
    }
    if (coins.quarantined > 0n && performance.now() - epochEndedAt > EPOCH_EVERY_MS) {
      await control.advanceEpoch();
      epochEndedAt = performance.now();
    }
    await delay(LOOK_EVERY_MS);
  }
}
