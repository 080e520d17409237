export * from './executions/executions.js';
export * from './history/changes.js';
export * from './history/history-stream.js';
export * from './history/stored-sponsorships.js';
export {
  type Drain,
  type DrainState,
  drainSponsor,
  readDrain,
  SponsorDrained,
  undrainSponsor,
  type Withdrawal,
} from './pool/drains.js';
export * from './pool/found-transactions.js';
export {
  adoptCoins,
  type CoinState,
  coinStates,
  type FoundTotals,
  type HolderState,
  holderStates,
  listUnknownCoins,
  mayLeaveDust,
  paymentImpact,
  type PlacementRules,
  placementRules,
  type PoolFigures,
  type PoolTotals,
  readPoolFigures,
  readPoolTotals,
} from './pool/pool-coins.js';
export * from './pool/pool-inspection.js';
export * from './pool/pool-rebuilding.js';
export * from './pool/pool-snapshot.js';
export { listSponsors, registerSponsor, sponsorIndexOf } from './pool/sponsor-registry.js';
export * from './pool/stored-version.js';
export * from './pool/suspension.js';
export * from './reservations/locked-inputs.js';
export * from './reservations/reservation-lookups.js';
export {
  type BegunClaim,
  type Claim,
  claimReservation,
  claimReservations,
  type ClaimResult,
  type ClaimResults,
  expireReservations,
  type InFlight,
  type InFlightQuery,
  listInFlight,
  MAX_COINS_PER_RESERVATION,
  releaseClaim,
  releaseReservation,
  reserveGas,
  type ReserveRequest,
  type StoredCoins,
  type UsedUp,
} from './reservations/reservations.js';
export type { ReachedThreshold } from './reservations/usage-checks.js';
export { type CoinStoreRedis, prepareCoinStore } from './scripts/prepare-coin-store.js';
export * from './upkeep/leader-lock.js';
export * from './upkeep/maintenance-operations.js';
export * from './upkeep/pool-audit.js';
export * from './upkeep/withdrawals.js';
