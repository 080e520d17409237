import { IsArray, IsOptional } from 'class-validator';
import { IsDto, IsIntegerBetween, IsName, IsNatural } from '../dto/index.js';
import { Viewer } from './history-messages.js';

/** The most records of one page. */
const MAX_TRAFFIC_PAGE = 1_000;

/** The codes of refusals that follow from an access decision. */
export const ACCESS_REFUSALS = [
  'FORBIDDEN',
  'SPENDING_LIMIT',
  'REQUEST_LIMIT',
  'ACCESS_UNDECIDED',
  'SIGNATURE_UNSUPPORTED',
  'GAS_PRICE_TOO_HIGH',
] as const;
export type AccessRefusal = (typeof ACCESS_REFUSALS)[number];

/** Decisions of a time, in ms since 1970; `to` is exclusive. */
export class TrafficPeriod {
  @IsDto(Viewer) readonly viewer!: Viewer;
  @IsNatural() readonly from!: number;
  @IsNatural() readonly to!: number;

  /** Absent: all tokens. */
  @IsOptional() @IsName() readonly token?: string;
}

/** `read-traffic`. */
export class ReadTraffic extends TrafficPeriod {
  @IsIntegerBetween(1, MAX_TRAFFIC_PAGE) readonly limit!: number;

  /** `next` of the page before; absent: the first page. */
  @IsOptional() @IsName() readonly after?: string;
}

/**
 * One access decision about a transaction, or about a reservation that was refused. Amounts are decimal text.
 */
export interface TrafficRecord {
  /** Of the decision, in ms since 1970. */
  readonly at: number;
  /** Null: it was sponsored. */
  readonly refusal: AccessRefusal | null;
  readonly token: string;
  readonly user: string | null;
  readonly sponsor: string | null;
  readonly digest: string | null;
  readonly reservation_id: number | null;
  readonly rule: string | null;
  /** `writeDecisionFacts`. */
  readonly facts: string;
  /** Base64; null: it was too long to be kept, or with a null digest, a reservation was refused. */
  readonly transaction: string | null;
  /**
   * Of a sponsored one: when it ended, whether the ledger executed it, what limits counted, and what the
   * ledger charged.
   */
  readonly ended_at: number | null;
  readonly executed: boolean;
  readonly counted: string;
  readonly gas: string;
}

/** The reply to `read-traffic`: decisions in the order of time. */
export class TrafficPageReply {
  @IsArray() readonly data!: readonly TrafficRecord[];
  /** `after` of the next page; null after the last. */
  @IsOptional() @IsName() readonly next!: string | null;
}

/** The reply to `count-untried`: records about whose decisions nothing is kept. */
export class UntriedCountReply {
  /** The first day with records, in ms since 1970; null: there is none. */
  @IsOptional() @IsNatural() readonly first!: number | null;
  @IsNatural() readonly sponsorships!: number;
  @IsNatural() readonly refusals!: number;
}
