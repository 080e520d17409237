export * from './access.dto.js';
export * from './decisions.dto.js';
export * from './events-index.dto.js';
export * from './explanation.dto.js';
export * from './fleet.dto.js';
export {
  ActionsResponse,
  type Pause,
  PauseRequest,
  PausesResponse,
  RecordedAction,
  ResumeRequest,
} from './operator-actions.dto.js';
export * from './latency.dto.js';
export * from './limits.dto.js';
export { DIGEST_PATTERN, readDigest } from './parameters.js';
export * from './records-query.dto.js';
export * from './execute-tx.dto.js';
export * from './reserve-gas.dto.js';
export * from './release-gas.dto.js';
export * from './sponsors.dto.js';
export * from './sponsorship.dto.js';
export * from './overview.dto.js';
export { ObjectReference, OwnedReference, TransactionEffects } from './transaction-effects.dto.js';
export * from './unpaid-transaction.dto.js';
export * from './usage.dto.js';
export * from './webhooks.dto.js';
