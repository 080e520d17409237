import type { LagRange } from '../engine/delayed-steps.js';

const LONGEST_MS = 600_000;

export const NO_LAG: LagRange = { minMs: 0, maxMs: 0 };
export const LAG_FORMAT = `milliseconds, 0 to ${LONGEST_MS}, or a range such as 0-500`;

/** Reads `200` or `0-500`; null for other text. */
export function readLag(text: string): LagRange | null {
  const [, min, max = min] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(text) ?? [];
  const range = { minMs: Number(min), maxMs: Number(max) };
  return range.minMs <= range.maxMs && range.maxMs <= LONGEST_MS ? range : null;
}
