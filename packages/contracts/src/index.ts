export { nameOfUser, tokenOfCaller } from './caller-name.js';
export {
  DEFAULT_RETRY_AFTER_SECS,
  type ErrorCode,
  type ErrorMessage,
  errorTable,
  ForecourtError,
} from './errors.js';
export type { GasCoinReference } from './gas-coin-reference.js';
export {
  BuildTxRequest,
  type BuildTxResponse,
  DEFAULT_BUILD_DURATION_SECS,
} from './http/build-tx.js';
export { describeRefusal } from './messages/describe-refusal.js';
export { DrainRequest, UndrainRequest } from './http/drain-sponsor.js';
export { DryRunTxRequest, type DryRunTxResponse, type PreviewedLimit } from './http/dry-run-tx.js';
export {
  DEFAULT_REQUEST_TYPE,
  ExecuteTxOptions,
  ExecuteTxRequest,
  type ExecuteTxResponse,
  type RequestType,
  requestTypes,
} from './http/execute-tx.js';
export {
  type ExplainedJob,
  type ExplainedOnLedger,
  type ExplainedReservation,
  type ExplainResponse,
  type TransactionVerdict,
  transactionVerdicts,
} from './http/explain-transaction.js';
export type {
  FleetCoins,
  FleetQuarantine,
  FleetQueue,
  FleetReplica,
  FleetResponse,
  FleetSpending,
  FleetSponsor,
  FleetTransaction,
} from './http/inspect-fleet.js';
export type { SponsorsResponse, SponsorStatus, WithdrawalStatus } from './http/list-sponsors.js';
export { type Pause, PauseRequest, type PausesResponse, ResumeRequest } from './http/pause.js';
export { ReleaseGasRequest, type ReleaseGasResponse } from './http/release-gas.js';
export {
  GAS_BUDGET_BOUNDS,
  LEDGER_MAX_GAS_BUDGET,
  RESERVE_DURATION_BOUNDS,
  ReserveGasRequest,
  type ReserveGasResponse,
} from './http/reserve-gas.js';
export type { UnpaidTransactionRequest } from './http/unpaid-transaction.js';
export { WithdrawRequest } from './http/withdraw-funds.js';
export * from './ledger-events/index.js';
export * from './messages/index.js';
export * from './queue/execute-transaction.js';
export * from './queue/execution-reply.js';
export * from './queue/pauses.js';
export * from './queue/replicas.js';
export { IsIntegerBetween } from './validation/is-integer-between.js';
export { checkDto, readDto, readJsonDto } from './validation/read-dto.js';
