import { setTimeout as delay } from 'node:timers/promises';
import { type CoinState, coinStates } from '@forecourt/coin-store';
import type { TestSystem } from '../support/test-system.js';

const LOOK_EVERY_MS = 50;
const EPOCH_EVERY_MS = 2_000;

/** States in which the system's work holds coins. */
const AT_WORK: readonly CoinState[] = ['claimed', 'executing', 'quarantined', 'maintenance'];
/** The same, and reservations, which callers hold until the deadline that they chose. */
const HELD: readonly CoinState[] = ['reserved', ...AT_WORK];

/** Whose coins are watched. */
export interface Resting extends Pick<TestSystem, 'control'> {
  readonly totals: () => Promise<{ readonly coins: Readonly<Record<CoinState, bigint>> }>;
}

export interface Rest {
  readonly atRest: boolean;
  /** The coins that are held if it is not at rest. */
  readonly held: string;
  /** When a coin was last seen in use (by `performance.now()`); null: never. */
  readonly workedUntil: number | null;
}

/**
 * Waits until nothing holds a coin and at least `full` coins are available, at most until `deadline` (by
 * `performance.now()`). Ends epochs in the meantime as long as a quarantined coin waits for that.
 */
export async function untilAtRest(
  { totals, control }: Resting,
  full: number,
  deadline: number,
): Promise<Rest> {
  let epochEndedAt = performance.now();
  let workedUntil: number | null = null;
  for (;;) {
    const { coins } = await totals();
    const held = HELD.filter((state) => coins[state] > 0n);
    if (AT_WORK.some((state) => coins[state] > 0n)) workedUntil = performance.now();
    if (held.length === 0 && coins.available >= BigInt(full)) {
      return { atRest: true, held: '', workedUntil };
    }
    if (performance.now() > deadline) {
      const text = coinStates.map((state) => `${state} ${coins[state]}`).join(', ');
      return { atRest: false, held: text, workedUntil };
    }
    if (coins.quarantined > 0n && performance.now() - epochEndedAt > EPOCH_EVERY_MS) {
      await control.advanceEpoch();
      epochEndedAt = performance.now();
    }
    await delay(LOOK_EVERY_MS);
  }
}
