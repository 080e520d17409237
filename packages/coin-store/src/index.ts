export {
  beginExecution,
  beginExecutions,
  type BegunExecution,
  type Quarantine,
} from './executions/begun-executions.js';
export {
  excludeExecution,
  listQuarantines,
  quarantineExecution,
} from './executions/quarantines.js';
export { noteUnknown, refuseExecution } from './executions/refusals.js';
export {
  settleExecution,
  settleExecutions,
  type Settled,
  type Settlement,
} from './executions/settlements.js';
export {
  type Drain,
  type DrainState,
  drainSponsor,
  readDrain,
  SponsorDrained,
  undrainSponsor,
  type Withdrawal,
} from './pool/drains.js';
export {
  mayLeaveDust,
  paymentImpact,
  type PlacementRules,
  placementRules,
} from './pool/placement.js';
export { adoptCoins } from './pool/pool-coins.js';
export { inspectPool, noteSpending } from './pool/pool-inspection.js';
export { rebuildPool, type RebuiltPool } from './pool/pool-rebuilding.js';
export {
  type PlacedCoin,
  type PoolSnapshot,
  renewCoin,
  snapshotPool,
} from './pool/pool-snapshot.js';
export {
  type CoinState,
  coinStates,
  type HolderState,
  holderStates,
  type PoolFigures,
  type PoolTotals,
  readPoolFigures,
  readPoolTotals,
} from './pool/pool-totals.js';
export { listSponsors, registerSponsor, sponsorIndexOf } from './pool/sponsor-registry.js';
export {
  type OpenedPool,
  openPool,
  PoolTooNew,
  READABLE_VERSION,
  readNetwork,
  requireReadablePool,
} from './pool/stored-version.js';
export {
  checkRedisRestart,
  endSuspension,
  readSuspension,
  type RestartCheck,
  type RestartCheckResult,
  suspendPool,
} from './pool/suspension.js';
export {
  type Claim,
  claimReservation,
  claimReservations,
  type ClaimResult,
  type ClaimResults,
} from './reservations/claims.js';
export {
  MAX_COINS_PER_RESERVATION,
  reserveGas,
  type ReserveRequest,
  type StoredCoins,
  type UsedUp,
} from './reservations/gas-reservations.js';
export {
  type BegunClaim,
  type InFlight,
  listInFlight,
  listOverdueClaims,
} from './reservations/in-flight.js';
export {
  forgoClaim,
  listLocked,
  type LockedInput,
  lockInput,
  type OtherHolder,
  takeUnlocked,
  unlockInput,
} from './reservations/input-locks.js';
export { findDigest, findReservation } from './reservations/reservation-lookups.js';
export { readUsages, traceReservation } from './reservations/reservation-trace.js';
export {
  expireReservations,
  releaseClaim,
  releaseReservation,
} from './reservations/unused-reservations.js';
export { type CoinStoreRedis, prepareCoinStore } from './scripts/prepare-coin-store.js';
export { type DueUpkeep, releaseLead, takeLead } from './upkeep/leader-lock.js';
export {
  abortMaintenance,
  beginMaintenance,
  bindMaintenance,
  finishMaintenance,
  listMaintenance,
  type MaintenanceKind,
  type MaintenanceOperation,
} from './upkeep/maintenance-operations.js';
export { auditPool, type BothSides, type CoinSum, type PoolAudit } from './upkeep/pool-audit.js';
export {
  beginWithdrawal,
  checkWithdrawal,
  endWithdrawal,
  finishWithdrawal,
  orderWithdrawal,
  type WithdrawalAnswer,
} from './upkeep/withdrawals.js';
