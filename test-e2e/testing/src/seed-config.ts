import { randomInt } from 'node:crypto';

/** The seed in `FORECOURT_SEED`, which repeats a run; otherwise a new one. Throws if it is not a number. */
export function chooseSeed(environment: NodeJS.ProcessEnv = process.env): number {
  const { FORECOURT_SEED: text = '' } = environment;
  if (text === '') return randomInt(2 ** 31);
  if (!/^\d{1,10}$/.test(text)) throw new Error(`FORECOURT_SEED must be a number, not ${text}`);
  return Number(text);
}
