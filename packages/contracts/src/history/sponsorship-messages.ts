import { IsArray, IsObject, IsOptional, ValidateIf } from 'class-validator';
import {
  IsDto,
  IsIntegerBetween,
  IsName,
  IsNatural,
  IsOneOf,
  IsPositiveInteger,
} from '../dto/index.js';
import { type ListOrder, listOrders, RecordFilters, Viewer } from './history-messages.js';
import type { Sponsorship } from './sponsorship.js';

/**
 * `find-sponsorship`. One sponsorship that is open, or has ended and is not in the database yet; one of the
 * two names it.
 */
export class FindSponsorshipMessage {
  @IsDto(Viewer) readonly viewer!: Viewer;

  /** Base58. */
  @ValidateIf(({ reservationId }: FindSponsorshipMessage) => reservationId === undefined)
  @IsName()
  readonly digest?: string;
  @IsOptional() @IsPositiveInteger() readonly reservationId?: number;
}

/** The reply to `find-sponsorship`. */
export class FindSponsorshipReply {
  /** Null: it does not exist, or the viewer may not see it. */
  @IsOptional() @IsObject() readonly sponsorship!: Sponsorship | null;
}

/** The most sponsorships in one reply to `list-sponsorships`. */
export const MAX_LISTED_SPONSORSHIPS = 1_000;

/** `list-sponsorships`. Those of all pools that are open, or have ended and are not in the database yet. */
export class ListSponsorshipsMessage {
  @IsDto(Viewer) readonly viewer!: Viewer;
  @IsDto(RecordFilters) readonly filters!: RecordFilters;
  @IsIntegerBetween(1, MAX_LISTED_SPONSORSHIPS) readonly limit!: number;

  /** Only those that come after this reservation id in the order of the list; absent: from its beginning. */
  @IsOptional() @IsPositiveInteger() readonly before?: number;

  /** By default the newest first. */
  @IsOptional() @IsOneOf(listOrders) readonly order?: ListOrder;
}

/** The reply to `list-sponsorships`. */
export class ListSponsorshipsReply {
  /** By reservation id, in the order of the message. */
  @IsArray() @IsObject({ each: true }) readonly sponsorships!: readonly Sponsorship[];

  /**
   * Everything up to this reservation id, in this order, has been looked at. Above 0, those after it have
   * not: the next message asks for them, with this `before`.
   */
  @IsNatural() readonly searchedTo!: number;
}
