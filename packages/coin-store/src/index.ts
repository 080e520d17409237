export * from './executions/unsettled-executions.js';
export * from './executions/quarantines.js';
export * from './executions/settle-executions.js';
export * from './executions/begin-executions.js';
export * from './history/history-stream.js';
export * from './history/stored-sponsorships.js';
export {
  type Drain,
  drainSponsor,
  readDrain,
  undrainSponsor,
  type Withdrawal,
} from './pool/drains.js';
export { SponsorDrained } from './pool/sponsor-drained.js';
export * from './pool/found-transactions.js';
export * from './pool/adopt-coins.js';
export { holderStates, type PoolFigures, readPoolFigures } from './pool/pool-figures.js';
export {
  type CoinState,
  coinStates,
  type FoundTotals,
  type PoolTotals,
  readPoolTotals,
} from './pool/pool-totals.js';
export {
  mayLeaveDust,
  paymentImpact,
  type PlacementRules,
  placementRules,
} from './pool/placement-rules.js';
export * from './pool/pool-inspection.js';
export * from './pool/pool-rebuilding.js';
export * from './pool/pool-snapshot.js';
export { PoolTooNew } from './pool/pool-too-new.js';
export { listSponsors, registerSponsor, sponsorIndexOf } from './pool/sponsor-registry.js';
export * from './pool/stored-version.js';
export * from './pool/suspension.js';
export * from './reservations/locked-inputs.js';
export * from './reservations/reservation-lookups.js';
export * from './reservations/release-reservations.js';
export * from './reservations/list-in-flight.js';
export * from './reservations/claim-reservations.js';
export type { BegunClaim } from './reservations/claim-names.js';
export * from './reservations/reserve-gas.js';
export type { ReachedThreshold } from './reservations/usage-checks.js';
export { prepareCoinStore } from './scripts/prepare-coin-store.js';
export type { CoinStoreRedis } from './scripts/run-script.js';
export * from './upkeep/leader-lock.js';
export * from './upkeep/maintenance-operations.js';
export * from './upkeep/pool-audit.js';
export * from './upkeep/withdrawals.js';
