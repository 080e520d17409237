export type { BuildRequest, BuiltTransaction } from './gas-station/build-tx.js';
export type { CallOptions } from './gas-station/call-gas-station.js';
export type { DryRun, DryRunRequest, LimitPreview } from './gas-station/dry-run-tx.js';
export type { ExecuteRequest, ExecutionDetails } from './gas-station/execute-request.js';
export type { ExecutedTransaction } from './gas-station/execute-tx.js';
export type { GasStationOptions } from './gas-station/gas-station-connection.js';
export {
  type ClientCode,
  GasStationError,
  type GasStationErrorCode,
  type RefusalCode,
} from './gas-station/gas-station-error.js';
export { GasStation } from './gas-station/gas-station.js';
export type {
  ChargedGas,
  Correction,
  GasCoin,
  RefusedExecute,
  Reservation,
  Sponsorship,
  TimelineEntry,
  UsageFigures,
  UsageReport,
  UsageRow,
} from './gas-station/gateway-results.js';
export type { LedgerJson } from './gas-station/ledger-json.js';
export type { TransactionOptions } from './gas-station/read-sponsorship.js';
export type { GasStationStatus } from './gas-station/read-status.js';
export type { UsageKey, UsageRequest } from './gas-station/read-usage.js';
export type { ReserveRequest } from './gas-station/reserve-gas.js';
export type { SponsorRequest } from './gas-station/sponsor-tx.js';
export type { TransactionBytes } from './gas-station/transaction-bytes.js';
export type {
  ObjectReference,
  OwnedReference,
  TransactionEffects,
} from './gas-station/transaction-effects.js';
export type { TransactionSignature, TransactionSigner } from './gas-station/transaction-signer.js';
export type {
  BuildableTransaction,
  TransactionBuilder,
  TransactionSource,
} from './gas-station/transaction-source.js';
export type { EventCriterion } from './ledger-events/event-conditions.js';
export type { EventFilter, JsonValue } from './ledger-events/event-conditions.js';
export type { EventPosition } from './ledger-events/event-subscription.js';
export type { LedgerEventsOptions } from './ledger-events/events-connection.js';
export type {
  DeleteObjectEvent,
  EventId,
  EventKind,
  LedgerEvent,
  MoveEvent,
  NewObjectEvent,
  Owner,
  PublishEvent,
  StoredEventRecord,
  TransferObjectEvent,
} from './ledger-events/event-record.js';
export {
  LedgerEventsError,
  type LedgerEventsErrorCode,
} from './ledger-events/ledger-events-error.js';
export { LedgerEvents } from './ledger-events/ledger-events.js';
export type { EventCursor, EventPage, QueryOptions } from './ledger-events/query-events.js';
export type { SubscribeOptions } from './ledger-events/subscribe-events.js';
export type { WebSocketLike } from './ledger-events/rpc-socket.js';
