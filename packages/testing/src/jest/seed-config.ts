import { randomInt } from 'node:crypto';

/** The seed of random choices: `FORECOURT_SEED`, or a new one. Throws if it is not an integer. */
export function readSeed(environment: NodeJS.ProcessEnv = process.env): number {
  const seed = Number(environment['FORECOURT_SEED'] ?? randomInt(2 ** 31));
  if (!Number.isSafeInteger(seed)) throw new Error('FORECOURT_SEED must be an integer');
  return seed;
}
