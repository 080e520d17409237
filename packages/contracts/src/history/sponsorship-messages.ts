import { IsArray, IsObject, IsOptional, ValidateIf } from 'class-validator';
import {
  IsDto,
  IsIntegerBetween,
  IsName,
  IsNatural,
  IsPositiveInteger,
} from '../dto-validation.js';
import { RecordFilters, Viewer } from './history-messages.js';
import type { Sponsorship } from './sponsorship.js';

/** `find-sponsorship`. One sponsorship that is open, or has ended and is not in the database yet; one of the two names it. */
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

  /** Only those with lower reservation ids; absent: from the newest. */
  @IsOptional() @IsPositiveInteger() readonly before?: number;
}

/** The reply to `list-sponsorships`. */
export class ListSponsorshipsReply {
  /** By reservation id, the highest first. */
  @IsArray() @IsObject({ each: true }) readonly sponsorships!: readonly Sponsorship[];

  /**
   * Everything from this reservation id on has been looked at. Above 0, those with lower ids have not: the next message asks
   * for them, with this `before`.
   */
  @IsNatural() readonly searchedTo!: number;
}
