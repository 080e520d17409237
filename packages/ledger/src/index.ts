export { type CoinsNow, compareCoins } from './compare-coins.js';
export {
  type CommandKind,
  commandKinds,
  type DecodedTransaction,
  type MoveCall,
  type SharedInput,
} from './decoded-transaction.js';
export { examineNode } from './iota/doctor/examine-node.js';
export type { Finding } from './iota/doctor/finding.js';
export { createIotaLedger, type IotaLedgerOptions } from './iota/create-iota-ledger.js';
export { countSlowVerifications } from './iota/signatures/count-slow-verifications.js';
export { createNodeClient } from './iota/nodes/create-node-client.js';
export type { NodeChange } from './iota/nodes/ledger-node.js';
export type { NodeCall } from './iota/nodes/node-connection.js';
export {
  COIN_STORAGE_COST,
  MAX_COINS_PER_SPLIT,
  MAX_NAMED_OBJECTS,
  MIN_COMPUTATION_UNITS,
} from './iota/limits.js';
export type { Ledger } from './ledger.js';
export type {
  BuiltTransaction,
  GasData,
  LedgerCodec,
  MaintenanceRequest,
  SplitRequest,
  UnsignedTransaction,
} from './ledger-codec.js';
export type {
  FinalTransaction,
  InspectedInputs,
  LedgerReader,
  LedgerStatus,
  TransactionPart,
  UndecidedInputs,
} from './ledger-reader.js';
export type { DryRun, LedgerSubmitter, SimulatedTransaction } from './ledger-submitter.js';
export { InvalidTransactionBytes, LedgerUnreachable } from './ledger-errors.js';
export { formatAmount } from './format-amount.js';
export { netGas } from './net-gas.js';
export type { GasCoin, ObjectReference, ShownCoin } from './object-reference.js';
export { listRecentObjects, type ReadRecentObjects, type RecentObject } from './recent-object.js';
export { type PaidCoins, settleFromEffects } from './settle-from-effects.js';
export { largestSponsorCost, type PaymentImpact, sponsorCost } from './sponsor-cost.js';
export type { Signer } from './signer.js';
export { createLocalSigner } from './signers/create-local-signer.js';
export { maintenanceBudget } from './maintenance-budget.js';
export { suggestGasBudget } from './suggest-gas-budget.js';
export type { Submission } from './submission.js';
export type { OwnedReference, TransactionEffects } from './transaction-effects.js';
