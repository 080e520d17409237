import { randomInt } from 'node:crypto';

/** How much is tried, and with which seed; the same seed makes the same garbage. */
export interface FuzzConfig {
  readonly seed: number;
  /** 1: about half a minute on a small machine; more for long runs. */
  readonly scale: number;
}

/** `FORECOURT_SEED` and `FORECOURT_FUZZ_SCALE`. Throws when they are no numbers. */
export function readFuzzConfig(environment: NodeJS.ProcessEnv = process.env): FuzzConfig {
  const seed = Number(environment['FORECOURT_SEED'] ?? randomInt(2 ** 31));
  const scale = Number(environment['FORECOURT_FUZZ_SCALE'] ?? 1);
  if (!Number.isSafeInteger(seed)) throw new Error('FORECOURT_SEED must be an integer');
  if (!(scale > 0)) throw new Error('FORECOURT_FUZZ_SCALE must be a number above 0');
  return { seed, scale };
}
