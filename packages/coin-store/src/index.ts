export { auditPool, type BothSides, type CoinSum, type PoolAudit } from './audit/audit-pool.js';
export { type Drain, SponsorDrained } from './draining/drain.js';
export { drainSponsor } from './draining/drain-sponsor.js';
export { type DrainState, readDrain, type Withdrawal } from './draining/read-drain.js';
export { undrainSponsor } from './draining/undrain-sponsor.js';
export {
  type BegunClaim,
  type BegunExecution,
  beginExecution,
  beginExecutions,
  type Quarantine,
} from './executions/begin-execution.js';
export { excludeExecution } from './executions/exclude-execution.js';
export { listQuarantines } from './executions/list-quarantines.js';
export { noteUnknown } from './executions/note-unknown.js';
export { quarantineExecution } from './executions/quarantine-execution.js';
export { refuseExecution } from './executions/refuse-execution.js';
export {
  settleExecution,
  settleExecutions,
  type Settled,
  type Settlement,
} from './executions/settle-execution.js';
export { forgoClaim } from './inputs/forgo-claim.js';
export type { LockedInput } from './inputs/input-holder.js';
export { listLocked } from './inputs/list-locked.js';
export { lockInput, type OtherHolder } from './inputs/lock-input.js';
export { takeUnlocked } from './inputs/take-unlocked.js';
export { unlockInput } from './inputs/unlock-input.js';
export { releaseLead } from './leadership/release-lead.js';
export { type DueUpkeep, takeLead } from './leadership/take-lead.js';
export { abortMaintenance } from './maintenance/abort-maintenance.js';
export { beginMaintenance, type MaintenanceKind } from './maintenance/begin-maintenance.js';
export { bindMaintenance } from './maintenance/bind-maintenance.js';
export { finishMaintenance } from './maintenance/finish-maintenance.js';
export { listMaintenance, type MaintenanceOperation } from './maintenance/list-maintenance.js';
export { adoptCoins } from './pool/adopt-coins.js';
export { endSuspension } from './pool/end-suspension.js';
export {
  checkRedisRestart,
  type RestartCheck,
  type RestartCheckResult,
} from './pool/check-redis-restart.js';
export { inspectPool } from './pool/inspect-pool.js';
export { noteSpending } from './pool/note-spending.js';
export { type OpenedPool, openPool } from './pool/open-pool.js';
export {
  type HolderState,
  holderStates,
  type PoolFigures,
  readPoolFigures,
} from './pool/read-pool-figures.js';
export { mayLeaveDust, type PlacementRules, placementRules } from './pool/placement.js';
export {
  type CoinState,
  coinStates,
  type PoolTotals,
  readPoolTotals,
} from './pool/read-pool-totals.js';
export { paymentImpact } from './pool/payment-impact.js';
export { readNetwork } from './pool/read-network.js';
export { requireReadablePool } from './pool/read-stored-version.js';
export { readSuspension } from './pool/read-suspension.js';
export { rebuildPool, type RebuiltPool } from './pool/rebuild-pool.js';
export { renewCoin } from './pool/renew-coin.js';
export { type PlacedCoin, type PoolSnapshot, snapshotPool } from './pool/snapshot-pool.js';
export { suspendPool } from './pool/suspend-pool.js';
export { PoolTooNew, READABLE_VERSION } from './pool/stored-version.js';
export { listSponsors, registerSponsor, sponsorIndexOf } from './pool/sponsors.js';
export {
  type Claim,
  claimReservation,
  claimReservations,
  type ClaimResult,
  type ClaimResults,
} from './reservations/claim-reservation.js';
export { findDigest } from './reservations/find-digest.js';
export { findReservation } from './reservations/find-reservation.js';
export { readUsages } from './reservations/read-usages.js';
export { releaseReservation } from './reservations/release-reservation.js';
export {
  MAX_COINS_PER_RESERVATION,
  reserveGas,
  type ReserveRequest,
  type StoredCoins,
  type UsedUp,
} from './reservations/reserve-gas.js';
export { traceReservation } from './reservations/trace-reservation.js';
export { type CoinStoreRedis, prepareCoinStore } from './scripts/prepare-coin-store.js';
export { expireReservations } from './sweeping/expire-reservations.js';
export { type InFlight, listInFlight, listOverdueClaims } from './sweeping/list-in-flight.js';
export { releaseClaim } from './sweeping/release-claim.js';
export { beginWithdrawal } from './withdrawals/begin-withdrawal.js';
export { endWithdrawal } from './withdrawals/end-withdrawal.js';
export { finishWithdrawal } from './withdrawals/finish-withdrawal.js';
export {
  checkWithdrawal,
  orderWithdrawal,
  type WithdrawalAnswer,
} from './withdrawals/order-withdrawal.js';
