/**
 * What the gateway asks of the coin-pool over Nest's TCP transport, by message pattern. Objects: a pattern of plain text
 * makes Nest throw and catch a syntax error for every message. Errors come back as `ErrorMessage`; a message whose fields
 * are not those of its DTO throws INVALID_REQUEST, one of a newer version COIN_POOL_OUTDATED; every one throws STORE_UNREACHABLE when Redis does not
 * answer.
 */
export const coinPoolPatterns = {
  reserveGas: { cmd: 'reserve-gas' },
  findReservation: { cmd: 'find-reservation' },
  claimReservation: { cmd: 'claim-reservation' },
  releaseReservation: { cmd: 'release-reservation' },
  readUsages: { cmd: 'read-usages' },
  inspectPools: { cmd: 'inspect-pools' },
  explainTransaction: { cmd: 'explain-transaction' },
  checkPool: { cmd: 'check-pool' },
  drainSponsor: { cmd: 'drain-sponsor' },
  undrainSponsor: { cmd: 'undrain-sponsor' },
  withdrawFunds: { cmd: 'withdraw-funds' },
  listSponsors: { cmd: 'list-sponsors' },
} as const;

export type CoinPoolPattern = (typeof coinPoolPatterns)[keyof typeof coinPoolPatterns];

/** What every message carries beside the fields of its DTO. */
export interface MessageHeader {
  /** See `MESSAGE_VERSION`. */
  readonly version?: number;
  /** Of the request that it is sent for, where there is one, for the log. */
  readonly requestId?: string | number;
}

/**
 * `check-pool`. Reserves, signs an unsubmittable message, asks the ledger and gives the coin back. Empty both ways.
 * Throws NO_COINS, POOL_REFUSED, LEDGER_UNREACHABLE.
 */
export type CheckPoolMessage = Record<string, never>;
