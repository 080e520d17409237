export { checkDto, describeArrived, IsIntegerBetween, readDto, readJsonDto } from './dto/index.js';
export * from './errors.js';
// The types alone: the classes load Swagger, which only the gateway needs.
export type * from './http/index.js';
export * from './history/decision-facts.js';
export * from './history/history-messages.js';
export * from './history/history-replies.js';
export * from './history/history-streams.js';
export * from './history/latency-messages.js';
export * from './history/sponsorship.js';
export * from './history/sponsorship-messages.js';
export * from './history/traffic-messages.js';
export * from './history/webhook-events.js';
export * from './history/webhook-messages.js';
export * from './json-rpc-error.js';
export * from './ledger-events/alias-methods.js';
export * from './ledger-events/canonical.js';
export * from './ledger-events/event-criterion.js';
export * from './ledger-events/event-filter.js';
export * from './ledger-events/event-methods.js';
export * from './ledger-events/event-position.js';
export * from './ledger-events/ledger-event.js';
export { DEFAULT_PAGE, LARGEST_PAGE, readCursor } from './ledger-events/read-value.js';
export {
  type JsonSchema,
  namedTypes,
  objectOf,
  schemaNamed,
  sequence,
} from './ledger-events/value-types.js';
export * from './messages/find-reservation.js';
export * from './messages/read-usages.js';
export * from './messages/claim-reservation.js';
export * from './messages/release-reservation.js';
export * from './messages/reserve-gas.js';
export * from './messages/caller-names.js';
export * from './messages/message-header.js';
export * from './messages/coin-pool-patterns.js';
export * from './messages/events-index-messages.js';
export * from './messages/explain-messages.js';
export * from './messages/inspect-messages.js';
export * from './messages/sponsor-messages.js';
export * from './messages/usage-messages.js';
export * from './redis/escaped-text.js';
export * from './redis/execution-job.js';
export * from './redis/execution-reply.js';
export * from './redis/fleet-records.js';
export * from './redis/stored-forecast.js';
export * from './request-limits.js';
export { redactUrls } from './redact-urls.js';
