import { Injectable } from '@nestjs/common';
import {
  type CountSponsorships,
  type FindSponsorship,
  type ListedSponsorship,
  type ListRecords,
  MAX_COUNTED,
  MAX_LISTED_SPONSORSHIPS,
  type Page,
  type Sponsorship,
  type SponsorshipCount,
  type SponsorshipPage,
} from '@forecourt/contracts';
import { compareIn, isLargePage, maySee } from '@forecourt/sponsorship';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { HistoryClient } from './history-client.js';

/** Each message searches a part of the pools; a page that needs more ends there. */
const MAX_MESSAGES = 20;

/** Sponsorships in the pools, in the order of the list: all up to the reservation id `searchedTo`; 0: all. */
interface PooledSponsorships {
  readonly sponsorships: readonly Sponsorship[];
  readonly searchedTo: number;
}

/**
 * Sponsorships in any state. Open ones are in the pools, and so are ended ones until the database has them:
 * who asks the pools first misses none.
 */
@Injectable()
export class SponsorshipsService {
  constructor(
    private readonly coinPool: CoinPoolClient,
    private readonly history: HistoryClient,
  ) {}

  /**
   * Null: it does not exist, or the viewer may not see it. Throws the errors of both clients; while only the
   * pools cannot be reached, what the database has is still found.
   */
  async find(wanted: FindSponsorship): Promise<Sponsorship | null> {
    const [pooled] = await Promise.allSettled([this.coinPool.findSponsorship(wanted)]);
    const isPooled = pooled.status === 'fulfilled' && pooled.value !== null;
    const found = isPooled ? pooled.value : await this.history.findSponsorship(wanted);
    if (found === null && pooled.status === 'rejected') throw pooled.reason as Error;
    return found !== null && maySee(wanted.viewer, found) ? found : null;
  }

  /**
   * A page has less than its limit if it is large, or if the pools hold many that do not match. Throws the
   * errors of both clients.
   */
  async list(query: ListRecords): Promise<SponsorshipPage> {
    const pooled = await this.listPooled(query);
    const stored = await this.history.listSponsorships(query);
    const { data, next } = mergeSponsorships(pooled, stored, query);
    const { missing } = stored;
    return { data: data.filter((one) => maySee(query.viewer, one)), next, missing };
  }

  /**
   * How many the pages of a list have. Not exact where the pools hold more than can be searched. Throws the
   * errors of both clients.
   */
  async count(query: Omit<CountSponsorships, 'except'>): Promise<SponsorshipCount> {
    const pooled: number[] = [];
    let isSearched = false;
    for await (const part of this.searchPools({ ...query, limit: MAX_LISTED_SPONSORSHIPS })) {
      const seen = part.sponsorships.filter((one) => maySee(query.viewer, one));
      pooled.push(...seen.map(({ reservation_id: id }) => id));
      isSearched = part.searchedTo === 0;
      if (pooled.length > MAX_COUNTED) return { count: MAX_COUNTED, is_exact: false };
    }
    const stored = await this.history.countSponsorships({ ...query, except: pooled });
    const count = pooled.length + stored.count;
    return { count: Math.min(count, MAX_COUNTED), is_exact: isSearched && count <= MAX_COUNTED };
  }

  private async listPooled(query: ListRecords): Promise<PooledSponsorships> {
    const sponsorships: Sponsorship[] = [];
    let searchedTo = 0;
    for await (const part of this.searchPools(query)) {
      sponsorships.push(...part.sponsorships);
      ({ searchedTo } = part);
      if (sponsorships.length >= query.limit || isLargePage(sponsorships)) break;
    }
    return { sponsorships, searchedTo };
  }

  /** Searches the pools in parts: each begins where the one before has ended. */
  private async *searchPools({
    before,
    ...query
  }: ListRecords): AsyncGenerator<PooledSponsorships> {
    let searchedTo = Number(before ?? 0);
    for (let messages = 0; messages < MAX_MESSAGES; messages += 1) {
      const from = searchedTo > 0 ? { before: searchedTo } : {};
      const part = await this.coinPool.listSponsorships({ ...query, ...from });
      yield part;
      ({ searchedTo } = part);
      if (searchedTo === 0) return;
    }
  }
}

/**
 * A page of the sponsorships in the pools and in the database, by reservation id, in the order of the list.
 * It ends where one of them has not been searched. The pools were read first: a sponsorship that has moved
 * since is in both, and the database has its end.
 */
function mergeSponsorships(
  pooled: PooledSponsorships,
  stored: Page<ListedSponsorship>,
  { limit, order }: Pick<ListRecords, 'limit' | 'order'>,
): Page<ListedSponsorship> {
  const compare = compareIn(order);
  const ends = [pooled.searchedTo, Number(stored.next ?? 0)].filter((end) => end > 0);
  const [searchedTo] = ends.sort(compare);
  const byId = new Map<number, ListedSponsorship>();
  for (const one of pooled.sponsorships) byId.set(one.reservation_id, toListed(one));
  for (const one of stored.data) byId.set(one.reservation_id, one);
  const found = [...byId.values()]
    .filter(({ reservation_id: id }) => searchedTo === undefined || compare(id, searchedTo) <= 0)
    .toSorted((a, b) => compare(a.reservation_id, b.reservation_id));
  const data = found.slice(0, limit);
  if (found.length > limit) return { data, next: String(data.at(-1)!.reservation_id) };
  return { data, next: searchedTo === undefined ? null : String(searchedTo) };
}

function toListed({ timeline: _, gas_coins: _coins, ...listed }: Sponsorship): ListedSponsorship {
  return listed;
}
