/**
 * The gateway's messages to the coin-pool over Nest's TCP transport. The patterns are objects because Nest
 * throws and catches a syntax error for every message with a plain text pattern. Errors come back as
 * `ErrorMessage`. In addition to the errors of its DTO, every message throws INVALID_REQUEST if its fields do
 * not match its DTO, COIN_POOL_OUTDATED if its version is newer, POOL_REFUSED while the replica shuts down,
 * and STORE_UNREACHABLE if Redis does not answer.
 */
export const coinPoolPatterns = {
  reserveGas: { cmd: 'reserve-gas' },
  findReservation: { cmd: 'find-reservation' },
  claimReservation: { cmd: 'claim-reservation' },
  /**
   * The fields of `find-reservation`; enqueues the job of the caller's claim for this transaction, unless it
   * is in the queue or has begun. Empty reply. Throws OUTCOME_UNKNOWN when the queue does not answer.
   */
  enqueueClaim: { cmd: 'enqueue-claim' },
  releaseReservation: { cmd: 'release-reservation' },
  readUsages: { cmd: 'read-usages' },
  inspectPools: { cmd: 'inspect-pools' },
  explainTransaction: { cmd: 'explain-transaction' },
  /**
   * Reserves, signs an unsubmittable message, asks the ledger and releases the coin. Empty both ways.
   * Throws NO_COINS, POOL_REFUSED, SPONSOR_DRAINED, LEDGER_UNREACHABLE.
   */
  checkPool: { cmd: 'check-pool' },
  drainSponsor: { cmd: 'drain-sponsor' },
  undrainSponsor: { cmd: 'undrain-sponsor' },
  withdrawFunds: { cmd: 'withdraw-funds' },
  /** The fields and errors of `withdrawFunds`; orders nothing. Empty reply. */
  checkWithdrawal: { cmd: 'check-withdrawal' },
  withdrawAmount: { cmd: 'withdraw-amount' },
  /** The fields and errors of `withdrawAmount`; orders nothing. Empty reply. */
  checkWithdrawalOfAmount: { cmd: 'check-withdrawal-of-amount' },
  reconcilePool: { cmd: 'reconcile-pool' },
  listSponsors: { cmd: 'list-sponsors' },
  findSponsorship: { cmd: 'find-sponsorship' },
  listSponsorships: { cmd: 'list-sponsorships' },
} as const;
