import { chooseSeed } from '@forecourt/testing/seed';

/** Amount and seed of the input; the same seed makes the same input. */
export interface FuzzConfig {
  readonly seed: number;
  /** 1: about half a minute on a small machine; more for long runs. */
  readonly scale: number;
}

/** Reads `FORECOURT_SEED` and `FORECOURT_FUZZ_SCALE`. Throws if they are not numbers. */
export function readFuzzConfig(environment: NodeJS.ProcessEnv = process.env): FuzzConfig {
  const scale = Number(environment['FORECOURT_FUZZ_SCALE'] ?? 1);
  if (!(scale > 0)) throw new Error('FORECOURT_FUZZ_SCALE must be a number above 0');
  return { seed: chooseSeed(environment), scale };
}
