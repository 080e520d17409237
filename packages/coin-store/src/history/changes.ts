import { type CoinStoreRedis, poolKey, runScript } from '../scripts/run-script.js';

/** For how long changes are kept for the next call of a follower. */
export const CHANGES_KEPT_MS = 60_000;

/** A change of a sponsorship (`StoredSponsorship`), or a refused request (`RefusedRequest`). */
export interface StoredChange {
  readonly id: string;
  /** Flat pairs of field and text. */
  readonly pairs: readonly string[];
}

export interface FollowedChanges {
  /** Changes between the place and the first of these are lost. */
  readonly isGap: boolean;
  readonly changes: readonly StoredChange[];
  /** The place to go on from. */
  readonly place: string;
  /** There may be more. */
  readonly isPart: boolean;
}

/** Where to go on: after a place, from the beginning of a stream that a follower has not seen, or at the end. */
export type Place = { readonly after: string } | 'beginning' | 'end';

/** The next changes of a sponsor, or of the refused requests (`REFUSALS_STREAM` of packages/contracts). From this call on, changes are kept for the next one. */
export async function readChanges(
  redis: CoinStoreRedis,
  stream: string,
  place: Place,
  limit: number,
): Promise<FollowedChanges> {
  const after = typeof place === 'object' ? place.after : '';
  const isFromEnd = place === 'end' ? 1 : 0;
  const args = [CHANGES_KEPT_MS, after, limit, isFromEnd];
  const reply = await runScript(redis, 'read-changes', stream, ...args);
  const [gap, entries] = reply as [number, [string, string[]][]];
  const found = entries.map(([id, pairs]) => ({ id, pairs }));
  return {
    isGap: gap === 1,
    changes: place === 'end' ? [] : found.filter(({ pairs }) => pairs[0] !== BEGUN),
    place: found.at(-1)?.id ?? after,
    isPart: place !== 'end' && found.length >= limit,
  };
}

/** The field of a stream's first entry, which is no change. */
const BEGUN = 'begun';

/** The key of a stream of changes. */
export function changesKey(stream: string): string {
  return poolKey(stream, 'changes');
}
