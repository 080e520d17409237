export { ADDRESS_TYPES, decodeValue } from './iota/move/decode-value.js';
export type { ArgumentsOfCalls, ArgumentValue, CallArgument } from './call-argument.js';
export { type CoinsNow, compareCoins, findFirstUse, findGasCoins } from './coins.js';
export type { GasCoin, ObjectReference, ShownCoin } from './object-reference.js';
export {
  type CommandKind,
  commandKinds,
  type DecodedTransaction,
  type MoveCall,
} from './decoded-transaction.js';
export { paymentOf } from './expected-payment.js';
export type { ExecutedTransaction, TransactionEffects } from './executed-transaction.js';
export { examineNode } from './iota/doctor/examine-node.js';
export type { Finding } from './iota/doctor/check.js';
export { createIotaLedger } from './iota/create-iota-ledger.js';
export type { IotaLedgerOptions } from './iota/iota-ledger-options.js';
export { createIotaCodec } from './iota/iota-codec.js';
export { countSlowVerifications } from './iota/signatures/user-signatures.js';
export type {
  NodeCheckpoint,
  NodeClient,
  NodeEventId,
  NodePage,
  ShownPart,
  ShownTransaction,
} from './iota/client/node-client.js';
export { clientThrough } from './iota/client/routed-client.js';
export { createJsonRpcClient } from './iota/json-rpc/create-json-rpc-client.js';
export { postCall, type RpcCall } from './iota/json-rpc/post-call.js';
export { NodeFailure } from './iota/transport/node-failure.js';
export { NodeRefusal } from './iota/transport/node-refusal.js';
export { LedgerNodes } from './iota/nodes/ledger-nodes.js';
export type { InvalidAnswer, NodeChange } from './iota/nodes/ledger-node.js';
export { GrpcNode } from './iota/grpc/grpc-node.js';
export {
  COIN_STORAGE_COST,
  MAX_COINS_PER_SPLIT,
  MAX_NAMED_OBJECTS,
  MIN_COMPUTATION_UNITS,
} from './iota/limits.js';
export { LedgerUnreachable } from './ledger-unreachable.js';
export { InvalidTransactionBytes } from './invalid-transaction-bytes.js';
export type {
  AbstractAccount,
  BalanceChange,
  BuiltTransaction,
  DryRun,
  FinalTransaction,
  InspectedInputs,
  Ledger,
  LedgerCodec,
  LedgerStatus,
  MaintenanceRequest,
  ReadRecentObjects,
  RecentObject,
  SimulatedTransaction,
  Submission,
  TransactionPart,
  UnsignedTransaction,
} from './ledger.js';
export { largestSponsorCost, netGas, type PaymentImpact, sponsorCost } from './sponsor-cost.js';
export { settleFromEffects } from './settle-from-effects.js';
export { maintenanceBudget } from './maintenance-budget.js';
export { suggestGasBudget } from './suggest-gas-budget.js';
export { CURRENCY, formatAmount } from './format-amount.js';
export type { Signer } from './signer.js';
export { createLocalSigner } from './create-local-signer.js';
export { readJwk, readRawKey, readSpki, SponsorPublicKey } from './sponsor-public-key.js';
export { SigningFailed, type SigningFault, signingFaults } from './signing-failed.js';
export { transactionIntentDigest } from './iota/transactions/decoding/transaction-digest.js';
export { buildProbe } from './iota/transactions/build-transactions.js';
