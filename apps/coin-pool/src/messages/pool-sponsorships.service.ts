import { Inject, Injectable } from '@nestjs/common';
import { FairBulkhead, gatewayLimits, NoPlace } from '@forecourt/resilience';
import {
  type CoinStoreRedis,
  findReservationOf,
  listReservations,
  listSponsors,
  readSponsorships,
  sponsorIndexOf,
} from '@forecourt/coin-store';
import {
  type FindSponsorshipMessage,
  type FindSponsorshipReply,
  ForecourtError,
  type ListOrder,
  type ListSponsorshipsMessage,
  type ListSponsorshipsReply,
  type Sponsorship,
  type StoredSponsorship,
  type Viewer,
} from '@forecourt/contracts';
import type { Ledger } from '@forecourt/ledger';
import { LEDGER } from '@forecourt/runtime/ledger';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import {
  compareIn,
  firstReservationAt,
  formSponsorship,
  InvalidEntry,
  isLargePage,
  maySee,
  passesFilters,
  sharePathOf,
} from '@forecourt/sponsorship';
import { RestartGuard } from '../pool/restart-guard.js';
import { CHECKER } from './inspections.service.js';

/** Most reservations that one message looks at. */
const MAX_EXAMINED = 2_000;
/** Reservations that are read in one script call, which bounds how long a call keeps Redis busy. */
const READ_TOGETHER = 50;

/** Lists in progress and waiting; a caller has half of what the others leave. */
const LISTS = { atOnce: gatewayLimits.openLists.default, waiting: 256 };

/** Shows sponsorships that are open, or have ended and are not in the database yet. */
@Injectable()
export class PoolSponsorshipsService {
  readonly #lists = new FairBulkhead(LISTS.atOnce, LISTS);

  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly guard: RestartGuard,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Looks in every pool in Redis, also those of sponsors whose key is no longer configured. Throws
   * POOL_REFUSED if Redis may have lost it.
   */
  find(message: FindSponsorshipMessage): Promise<FindSponsorshipReply> {
    return this.guard.readCertain(
      () => this.findStored(message),
      ({ sponsorship }) => sponsorship != null,
    );
  }

  private async findStored(message: FindSponsorshipMessage): Promise<FindSponsorshipReply> {
    const { viewer, digest } = message;
    for (const [index, sponsor] of await listSponsors(this.redis)) {
      const id = message.reservationId ?? (await findReservationOf(this.redis, sponsor, digest!));
      if (id === null || sponsorIndexOf(id) !== index) continue;
      const [sponsorship] = await this.read(sponsor, [id], viewer);
      return { sponsorship: sponsorship && maySee(viewer, sponsorship) ? sponsorship : null };
    }
    return { sponsorship: null };
  }

  /**
   * Lists those that the viewer may see and that pass the filters, in the order of the message, until the
   * page is large (`isLargePage`). Throws OVERLOADED where too many lists wait.
   */
  async list(message: ListSponsorshipsMessage): Promise<ListSponsorshipsReply> {
    try {
      return await this.#lists.run(sharePathOf(message.viewer), () => this.search(message));
    } catch (error) {
      throw error instanceof NoPlace ? new ForecourtError('OVERLOADED') : error;
    }
  }

  private async search(message: ListSponsorshipsMessage): Promise<ListSponsorshipsReply> {
    const { viewer, filters, limit, order } = message;
    const sponsors = await listSponsors(this.redis);
    const { ids, searchedTo } = await this.candidates(message, sponsors);
    const found: Sponsorship[] = [];
    for (let from = 0; from < ids.length; from += READ_TOGETHER) {
      const some = ids.slice(from, from + READ_TOGETHER);
      for (const sponsorship of await this.readAll(some, sponsors, viewer, order)) {
        if (!maySee(viewer, sponsorship) || !passesFilters(sponsorship, filters)) continue;
        found.push(sponsorship);
        if (found.length === limit) {
          return { sponsorships: found, searchedTo: sponsorship.reservation_id };
        }
      }
      if (isLargePage(found)) return { sponsorships: found, searchedTo: some.at(-1)! };
    }
    return { sponsorships: found, searchedTo };
  }

  /** The reservations to look at, in the order of the message; `searchedTo`: there may be more after it. */
  private async candidates(
    message: ListSponsorshipsMessage,
    sponsors: ReadonlyMap<number, string>,
  ): Promise<{ readonly ids: readonly number[]; readonly searchedTo: number }> {
    const { filters, order } = message;
    const compare = compareIn(order);
    const { before, last } = boundsOf(message);
    const range = { before, limit: MAX_EXAMINED, ...(order && { order }) };
    const searched: number[] = [];
    const ids: number[] = [];
    for (const sponsor of sponsors.values()) {
      if (filters.sponsor !== undefined && filters.sponsor !== sponsor) continue;
      const { open, ended } = await listReservations(this.redis, sponsor, range);
      ids.push(...open, ...ended);
      if (ended.length === range.limit) searched.push(ended.at(-1)!);
    }
    const first = ids.sort(compare).slice(0, MAX_EXAMINED);
    if (first.length < ids.length) searched.push(first.at(-1)!);
    const [end] = [...searched, last].sort(compare) as [number];
    const inRange = first.filter((id) => compare(id, end) <= 0);
    return { ids: inRange, searchedTo: end === last ? 0 : end };
  }

  /** Reads reservations of several pools, and keeps their order. */
  private async readAll(
    ids: readonly number[],
    sponsors: ReadonlyMap<number, string>,
    viewer: Viewer,
    order: ListOrder | undefined,
  ): Promise<Sponsorship[]> {
    const compare = compareIn(order);
    const byIndex = Map.groupBy(ids, sponsorIndexOf);
    const pools = [...byIndex].map(([index, some]) =>
      this.read(sponsors.get(index)!, some, viewer),
    );
    const read = (await Promise.all(pools)).flat();
    return read.sort((a, b) => compare(a.reservation_id, b.reservation_id));
  }

  private async read(
    sponsor: string,
    ids: readonly number[],
    viewer: Viewer,
  ): Promise<Sponsorship[]> {
    const stored = await readSponsorships(this.redis, sponsor, ids, viewer);
    return stored.flatMap((facts) => (facts === null ? [] : this.form(sponsor, facts)));
  }

  /** None for a health check, and for facts that cannot be read. */
  private form(sponsor: string, facts: StoredSponsorship): Sponsorship[] {
    if (facts.caller === CHECKER) return [];
    try {
      return [formSponsorship(this.ledger, sponsor, facts)];
    } catch (error) {
      if (!(error instanceof InvalidEntry)) throw error;
      const fields = { sponsor, reservationId: facts.id, error: error.message };
      this.logger.warn(fields, 'Sponsorship left out: its stored facts cannot be read');
      return [];
    }
  }
}

/** The ids that a list asks for, in its order: those after `before`, up to and including `last`. */
function boundsOf({ filters, order, before }: ListSponsorshipsMessage): {
  readonly before: number;
  readonly last: number;
} {
  const lowest = firstReservationAt(filters.from ?? 0);
  const above =
    filters.to === undefined ? Number.MAX_SAFE_INTEGER : firstReservationAt(filters.to + 1);
  if (order === 'oldest') return { before: Math.max(before ?? -1, lowest - 1), last: above - 1 };
  return { before: Math.min(before ?? above, above), last: lowest };
}
