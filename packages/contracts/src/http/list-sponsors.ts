import type { SponsorCoins, SponsorDrain, SponsorState } from '../messages/list-sponsors.js';

/** The latest withdrawal of a sponsor's funds. Times are milliseconds since 1970, amounts decimal. */
export interface WithdrawalStatus {
  readonly to_address: string;
  readonly reason: string;
  readonly by: string;
  readonly since: number;
  readonly coins: number;
  /** What has arrived at the address. */
  readonly arrived: string;
  /** Of the last transaction; null before the first. */
  readonly digest: string | null;
  /** Null: it is in progress. */
  readonly ended: number | null;
}

/** A sponsor, and how far its drain and its withdrawal are. */
export interface SponsorStatus {
  readonly sponsor_address: string;
  readonly state: SponsorState;
  readonly coins: SponsorCoins;
  /** Of all its coins, in decimal. */
  readonly balance: string;
  readonly drain: SponsorDrain | null;
  readonly withdrawal: WithdrawalStatus | null;
}

/**
 * Answer of `GET /v1/sponsors`, and of `POST /v1/drain`, `/v1/undrain`, `/v1/withdraw` and `/v1/check_withdrawal`: every
 * sponsor as it is now.
 */
export interface SponsorsResponse {
  readonly result: { readonly sponsors: readonly SponsorStatus[] };
}
