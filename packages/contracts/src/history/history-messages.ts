import { IsArray, IsOptional, ValidateIf } from 'class-validator';
import {
  IsDto,
  IsIntegerBetween,
  IsName,
  IsNatural,
  IsOneOf,
  IsPositiveInteger,
} from '../dto/index.js';
import type { ListedSponsorship, RebuildCause } from './sponsorship.js';

/**
 * The gateway's messages to history over Nest's TCP transport. Every message names the `Viewer` it answers
 * to. Errors come back as `ErrorMessage`; every message throws INVALID_REQUEST if its fields do not match its
 * DTO, and HISTORY_UNREACHABLE if the database does not answer.
 */
export const historyPatterns = {
  /** `FindSponsorship` → `{ sponsorship: Sponsorship | null }`. */
  findSponsorship: { cmd: 'find-sponsorship' },
  /** `ListRecords` → `SponsorshipPage`, by reservation id. */
  listSponsorships: { cmd: 'list-sponsorships' },
  /** `CountSponsorships` → `SponsorshipCountReply`. */
  countSponsorships: { cmd: 'count-sponsorships' },
  /** `ListRecords` → `RefusalPage`, the newest first. The filter `status` is the HTTP status in text. */
  listRefusals: { cmd: 'list-refusals' },
  /** `SumUsage` → `UsageReport`. Throws INVALID_REQUEST for more than `MAX_USAGE_ROWS`. */
  sumUsage: { cmd: 'sum-usage' },
  /** `ReadLatency` → `LatencyReport`. Throws INVALID_REQUEST for minutes that are no longer kept. */
  readLatency: { cmd: 'read-latency' },
  /** `ReadTraffic` → `TrafficPageReply`. Throws INVALID_REQUEST for `after` that is not a place. */
  readTraffic: { cmd: 'read-traffic' },
  /** `TrafficPeriod` → `UntriedCountReply`. */
  countUntried: { cmd: 'count-untried' },
} as const;

/** Whose records a caller may see. Null: every token's. A user's token sees its own user's records only. */
export class Viewer {
  // Only null, never an absent value, gives a right to all records.
  @ValidateIf(({ token, user }: Viewer) => token !== null || (user ?? null) !== null)
  @IsName()
  readonly token!: string | null;

  @IsOptional() @IsName() readonly user!: string | null;
}

export class FindSponsorship {
  @IsDto(Viewer) readonly viewer!: Viewer;

  /** One of the two is given. */
  @IsOptional() @IsPositiveInteger() readonly reservationId?: number;

  @ValidateIf(({ reservationId }: FindSponsorship) => reservationId === undefined)
  @IsName()
  readonly digest?: string;
}

/** Combined by and; all optional. Times are inclusive. */
export class RecordFilters {
  @IsOptional() @IsNatural() readonly from?: number;
  @IsOptional() @IsNatural() readonly to?: number;
  @IsOptional() @IsName() readonly token?: string;
  @IsOptional() @IsName() readonly user?: string;
  @IsOptional() @IsName() readonly sender?: string;
  @IsOptional() @IsName() readonly sponsor?: string;
  @IsOptional() @IsName() readonly status?: string;
  @IsOptional() @IsName() readonly outcome?: string;

  /** A `SponsorshipState`; no filter of refusals. */
  @IsOptional() @IsName() readonly state?: string;

  @IsOptional() @IsName() readonly package?: string;
  @IsOptional() @IsName() readonly module?: string;
  @IsOptional() @IsName() readonly function?: string;
  @IsOptional() @IsName() readonly digest?: string;

  /** An error code. */
  @IsOptional() @IsName() readonly error?: string;
}

/** The orders of a list of sponsorships, by reservation id. */
export const listOrders = ['newest', 'oldest'] as const;
export type ListOrder = (typeof listOrders)[number];

/** The most records of one page. */
export const MAX_PAGE = 1_000;

export class ListRecords {
  @IsDto(Viewer) readonly viewer!: Viewer;
  @IsDto(RecordFilters) readonly filters!: RecordFilters;
  @IsIntegerBetween(1, MAX_PAGE) readonly limit!: number;

  /**
   * Records that come after this one in the order of the list; absent: from its beginning. Of sponsorships,
   * the reservation id.
   */
  @IsOptional() @IsName() readonly before?: string;

  /** By default the newest first, as refusals always are. */
  @IsOptional() @IsOneOf(listOrders) readonly order?: ListOrder;
}

/** More sponsorships than these are not counted. */
export const MAX_COUNTED = 10_000;

export class CountSponsorships {
  @IsDto(Viewer) readonly viewer!: Viewer;
  @IsDto(RecordFilters) readonly filters!: RecordFilters;

  /** Reservation ids that do not count: the gateway has counted them in the pools. */
  @IsArray() @IsPositiveInteger({ each: true }) readonly except!: readonly number[];
}

/** How many sponsorships pass filters. */
export interface SponsorshipCount {
  /** At most `MAX_COUNTED`. */
  readonly count: number;
  /** False: there may be more. */
  readonly is_exact: boolean;
}

export interface Page<T> {
  readonly data: readonly T[];
  /** `before` of the next page; null on the last page. */
  readonly next: string | null;
}

export interface SponsorshipPage extends Page<ListedSponsorship> {
  /**
   * Ended sponsorships without a record, of all time and tokens: their entries were lost. 0 for a viewer who
   * does not see all.
   */
  readonly missing: number;
}

/** A request that ended before a reservation was bound. */
export interface ListedRefusal {
  readonly at: number;
  readonly route: string;
  readonly token: string;
  readonly user: string | null;
  readonly sender: string | null;
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly rule: string | null;
  readonly digest: string | null;
  readonly reservation_id: number | null;
  /** As the answer named it in `x-request-id`. */
  readonly request_id: string | null;
}

/** Refused requests of which only the number is kept. */
export interface DroppedRefusals {
  readonly code: string;
  readonly token: string;
  readonly requests: number;
}

export interface RefusalPage extends Page<ListedRefusal> {
  /**
   * Those of the filtered time, in whole hours, that the viewer may see and that `token` and `error` of the
   * filters name; of a user's token: none.
   */
  readonly dropped: readonly DroppedRefusals[];
}

export const usageKeys = [
  'month',
  'day',
  'hour',
  'minute',
  'token',
  'user',
  'sender',
  'sponsor',
  'package',
  'function',
  'code',
] as const;
export type UsageKey = (typeof usageKeys)[number];

/** The filters of usage. */
export class UsageFilters {
  @IsOptional() @IsName() readonly token?: string;
  @IsOptional() @IsName() readonly user?: string;
  @IsOptional() @IsName() readonly sender?: string;
  @IsOptional() @IsName() readonly sponsor?: string;
}

export class SumUsage {
  @IsDto(Viewer) readonly viewer!: Viewer;

  /** Inclusive, by the time of the reservation or the refusal. */
  @IsNatural() readonly from!: number;
  @IsNatural() readonly to!: number;

  @IsArray() @IsOneOf(usageKeys, { each: true }) readonly groupBy!: readonly UsageKey[];
  @IsDto(UsageFilters) readonly filters!: UsageFilters;
}

/** The most rows of one report. */
export const MAX_USAGE_ROWS = 100_000;

export interface UsageFigures {
  /** Executed on the ledger. */
  readonly transactions: number;
  /** Those among them that failed there. */
  readonly failed: number;
  /** Refused requests and executes. */
  readonly refused: number;
  /** Net gas, decimal text. */
  readonly gas: string;
}

/**
 * Its keys are texts: a month `2026-11`, a day `2026-11-25`, an hour `2026-11-25T13` and a minute
 * `2026-11-25T13:05`, in UTC; a function `0x…::module::function`; empty for what has no such key. A
 * transaction counts once in each package or function that it calls. Rows with a code have refused requests
 * and executes only.
 */
export type UsageRow = UsageFigures & Readonly<Partial<Record<UsageKey, string>>>;

/** Transactions that were recorded from the ledger later. */
export interface UsageCorrection {
  readonly cause: RebuildCause;
  /** Part of the rows and of the total, as is their gas. */
  readonly transactions: number;
  readonly gas: string;
  /** The loss of sponsors' funds in transactions that the ledger no longer had; no part of the total. */
  readonly unexplained: string;
}

export interface UsageReport {
  /** The time that was summed: wider than asked by parts of days where only days are kept. */
  readonly from: number;
  readonly to: number;
  readonly group_by: readonly UsageKey[];
  /** In the order of their keys. */
  readonly rows: readonly UsageRow[];
  readonly total: UsageFigures;
  /** Those of the time, for a viewer and filters that see all tokens; otherwise none. */
  readonly corrections: readonly UsageCorrection[];
}
