export { ADDRESS_TYPES, decodeValue } from './iota/move/decode-value.js';
export type { ArgumentsOfCalls, ArgumentValue, CallArgument } from './call-argument.js';
export { type CoinsNow, compareCoins, findGasCoins } from './coins.js';
export type { GasCoin, ObjectReference, ShownCoin } from './object-reference.js';
export {
  type CommandKind,
  commandKinds,
  type DecodedTransaction,
  type ExpectedPayment,
  type MoveCall,
  paymentOf,
  type SharedInput,
} from './decoded-transaction.js';
export type { ExecutedTransaction, TransactionEffects } from './executed-transaction.js';
export { examineNode } from './iota/doctor/examine-node.js';
export type { Finding } from './iota/doctor/questions.js';
export {
  createIotaCodec,
  createIotaLedger,
  type IotaLedgerOptions,
} from './iota/create-iota-ledger.js';
export { countSlowVerifications } from './iota/signatures/user-signatures.js';
export { NodeFailure, NodeRefusal, postCall } from './iota/transport/node-transport.js';
export { type InvalidAnswer, LedgerNodes, type NodeChange } from './iota/nodes/ledger-nodes.js';
export { GrpcTransport } from './iota/grpc/grpc-transport.js';
export type { NodeCall } from './iota/nodes/node-connection.js';
export {
  COIN_STORAGE_COST,
  MAX_COINS_PER_SPLIT,
  MAX_NAMED_OBJECTS,
  MIN_COMPUTATION_UNITS,
} from './iota/limits.js';
export { InvalidTransactionBytes, LedgerUnreachable } from './ledger-errors.js';
export {
  type AbstractAccount,
  type BalanceChange,
  type BuiltTransaction,
  type DryRun,
  type FinalTransaction,
  type GasData,
  type InspectedInputs,
  type Ledger,
  type LedgerCodec,
  type LedgerReader,
  type LedgerStatus,
  type LedgerSubmitter,
  type MaintenanceRequest,
  type ReadRecentObjects,
  type RecentObject,
  type SimulatedTransaction,
  type SplitRequest,
  type Submission,
  type TransactionPart,
  type UndecidedInputs,
  type UnsignedTransaction,
} from './ledger.js';
export {
  CURRENCY,
  formatAmount,
  largestSponsorCost,
  maintenanceBudget,
  netGas,
  type PaidCoins,
  type PaymentImpact,
  settleFromEffects,
  sponsorCost,
  suggestGasBudget,
} from './gas-costs.js';
export {
  createLocalSigner,
  type KeyScheme,
  readJwk,
  readRawKey,
  readSpki,
  type Signer,
  SigningFailed,
  type SigningFault,
  signingFaults,
  SponsorPublicKey,
} from './signer.js';
export { transactionIntentDigest } from './iota/transactions/decoding/decode-transaction.js';
export { buildProbe } from './iota/transactions/build-transactions.js';
