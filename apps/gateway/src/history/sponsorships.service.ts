import { Injectable } from '@nestjs/common';
import type {
  FindSponsorship,
  ListedSponsorship,
  ListRecords,
  Page,
  Sponsorship,
  SponsorshipPage,
} from '@forecourt/contracts';
import { isLargePage, maySee } from '@forecourt/sponsorship';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { HistoryClient } from './history-client.js';

/** Each message searches a part of the pools; a page that needs more ends there. */
const MAX_MESSAGES = 20;

/** Sponsorships in the pools, newest first: all from the reservation id `searchedTo` on. */
interface PooledSponsorships {
  readonly sponsorships: readonly Sponsorship[];
  readonly searchedTo: number;
}

/**
 * Sponsorships in any state. Open ones are in the pools, and so are ended ones until the database has them: who asks the pools
 * first misses none.
 */
@Injectable()
export class SponsorshipsService {
  constructor(
    private readonly coinPool: CoinPoolClient,
    private readonly history: HistoryClient,
  ) {}

  /**
   * Null: it does not exist, or the viewer may not see it. Throws the errors of both clients; while only the pools cannot be
   * reached, what the database has is still found.
   */
  async find(wanted: FindSponsorship): Promise<Sponsorship | null> {
    const [pooled] = await Promise.allSettled([this.coinPool.findSponsorship(wanted)]);
    const isPooled = pooled.status === 'fulfilled' && pooled.value !== null;
    const found = isPooled ? pooled.value : await this.history.findSponsorship(wanted);
    if (found === null && pooled.status === 'rejected') throw pooled.reason as Error;
    return found !== null && maySee(wanted.viewer, found) ? found : null;
  }

  /** A page has less than its limit if it is large, or if the pools hold many that do not match. Throws the errors of both clients. */
  async list(query: ListRecords): Promise<SponsorshipPage> {
    const pooled = await this.listPooled(query);
    const stored = await this.history.listSponsorships(query);
    const { data, next } = mergeSponsorships(pooled, stored, query.limit);
    const { missing } = stored;
    return { data: data.filter((one) => maySee(query.viewer, one)), next, missing };
  }

  private async listPooled({ before, ...query }: ListRecords): Promise<PooledSponsorships> {
    const sponsorships: Sponsorship[] = [];
    let searchedTo = Number(before ?? 0);
    for (let messages = 0; messages < MAX_MESSAGES; messages += 1) {
      const from = searchedTo > 0 ? { before: searchedTo } : {};
      const reply = await this.coinPool.listSponsorships({ ...query, ...from });
      sponsorships.push(...reply.sponsorships);
      ({ searchedTo } = reply);
      if (searchedTo === 0 || sponsorships.length >= query.limit) break;
      if (isLargePage(sponsorships)) break;
    }
    return { sponsorships, searchedTo };
  }
}

/**
 * A page of the sponsorships in the pools and in the database, by reservation id, newest first. It ends where one of them has
 * not been searched. The pools were read first: a sponsorship that has moved since is in both, and the database has its end.
 */
function mergeSponsorships(
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
