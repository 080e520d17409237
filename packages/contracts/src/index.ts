export {
  DEFAULT_RETRY_AFTER_SECS,
  type ErrorCode,
  type ErrorMessage,
  errorTable,
  ForecourtError,
} from './errors.js';
export type { GasCoinReference } from './gas-coin-reference.js';
export {
  DEFAULT_REQUEST_TYPE,
  ExecuteTxRequest,
  type ExecuteTxResponse,
  type RequestType,
  requestTypes,
} from './http/execute-tx.js';
export {
  GAS_BUDGET_BOUNDS,
  ReserveGasRequest,
  type ReserveGasResponse,
} from './http/reserve-gas.js';
export * from './ledger-events/index.js';
export * from './messages/index.js';
export * from './queue/execute-transaction.js';
export * from './queue/execution-reply.js';
export { checkDto, readDto, readJsonDto } from './validation/read-dto.js';
