export * from './errors.js';
// The types alone: the classes load Swagger, which only the gateway needs.
export type * from './http/index.js';
export * from './ledger-events/index.js';
export * from './messages/claim-messages.js';
export * from './messages/coin-pool-messages.js';
export * from './messages/explain-messages.js';
export * from './messages/find-messages.js';
export * from './messages/inspect-messages.js';
export * from './messages/reservation-messages.js';
export * from './messages/sponsor-messages.js';
export * from './redis/execution-job.js';
export * from './redis/fleet-records.js';
export * from './request-limits.js';
export { checkDto, readDto, readJsonDto } from './validation/read-dto.js';
export { IsIntegerBetween } from './validation/rules.js';
