import type { ListedSponsorship, Page, Sponsorship } from '@forecourt/contracts';

/** Sponsorships in the pools, newest first: all from the reservation id `searchedTo` on. */
export interface PooledSponsorships {
  readonly sponsorships: readonly Sponsorship[];
  readonly searchedTo: number;
}

/**
 * A page of the sponsorships in the pools and in the database, by reservation id, newest first. It ends where one of them has
 * not been searched. The pools were read first: a sponsorship that has moved since is in both, and the database has its end.
 */
export function mergeSponsorships(
  pooled: PooledSponsorships,
  stored: Page<ListedSponsorship>,
  limit: number,
): Page<ListedSponsorship> {
  const searchedTo = Math.max(pooled.searchedTo, Number(stored.next ?? 0));
  const byId = new Map<number, ListedSponsorship>();
  for (const one of pooled.sponsorships) byId.set(one.reservation_id, toListed(one));
  for (const one of stored.data) byId.set(one.reservation_id, one);
  const found = [...byId.values()]
    .filter((one) => one.reservation_id >= searchedTo)
    .toSorted((a, b) => b.reservation_id - a.reservation_id);
  const data = found.slice(0, limit);
  if (found.length > limit) return { data, next: String(data.at(-1)!.reservation_id) };
  return { data, next: searchedTo > 0 ? String(searchedTo) : null };
}

function toListed({ timeline: _, gas_coins: _coins, ...listed }: Sponsorship): ListedSponsorship {
  return listed;
}
