import { readTimeSpan, readUnits } from '../access/index.js';

const SHORTEST_MS = 1_000;
const LONGEST_MS = 86_400_000;

/** An amount of gas or a count, below 2^53: `100`, `10_000_000`, `2 coins`. Throws `Error` with the required format. */
export function readAmount(text: string): number {
  const amount = Number(readUnits(text));
  if (!Number.isSafeInteger(amount) || amount < 1) {
    throw new Error(`must be from 1 to ${Number.MAX_SAFE_INTEGER}`);
  }
  return amount;
}

/** A time span in ms, up to a day. Throws `Error` with the required format. */
export function readSpan(text: string): number {
  return readTimeSpan(text, SHORTEST_MS, LONGEST_MS);
}

/** `50%` or `50`, from 1 to 100. Throws `Error` with the required format. */
export function readPercentage(text: string): number {
  const percentage = /^(\d{1,3}) ?%?$/.exec(text)?.[1];
  const share = Number(percentage);
  if (percentage === undefined || share < 1 || share > 100) {
    throw new Error('must be a share from 1% to 100%');
  }
  return share;
}
