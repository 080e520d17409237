import { variable } from '@forecourt/runtime/config';

/** The limits on clients. */
export const limitVariables = {
  maxConnections: variable.integer('EVENTS_MAX_CONNECTIONS', {
    default: 10_000,
    description:
      'Open WebSockets. One client address gets a sixteenth of what no other uses; more are refused with 429',
  }),
  trustedGateways: variable.networks('EVENTS_TRUSTED_GATEWAYS', {
    default: '127.0.0.0/8,::1,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7',
    description:
      'Addresses of gateways; only these may name the client whose limits a request counts against',
  }),
  maxSubscriptions: variable.integer('EVENTS_MAX_SUBSCRIPTIONS', {
    default: 100_000,
    max: 10_000_000,
    description:
      'Open subscriptions in this process. One client address gets a sixteenth of what no other uses; more get `-32006`',
  }),
  maxSubscriptionsPerConnection: variable.integer('EVENTS_MAX_SUBSCRIPTIONS_PER_CONNECTION', {
    default: 1_024,
    description: 'Open subscriptions on one connection',
  }),
  maxBufferedBytes: variable.integer('EVENTS_MAX_BUFFERED_BYTES', {
    default: 1_048_576,
    min: 65_536,
    max: 268_435_456,
    unit: 'bytes',
    description: 'Unread bytes of a connection; beyond it its subscriptions end with `-32010`',
  }),
  maxPendingCalls: variable.integer('EVENTS_MAX_PENDING_CALLS', {
    default: 32,
    max: 10_000,
    description: 'Calls of one connection that run at once',
  }),
  maxPendingCallsInAll: variable.integer('EVENTS_MAX_PENDING_CALLS_IN_ALL', {
    default: 8_192,
    max: 10_000_000,
    description:
      'Queued and running calls of all clients of this process, each call of a batch counted. One client address gets a sixteenth of what no other uses; more get `-32009`, over HTTP with status 429',
  }),
  maxAnswerBytes: variable.integer('EVENTS_MAX_ANSWER_BYTES', {
    default: 16_777_216,
    min: 1_048_576,
    max: 268_435_456,
    unit: 'bytes',
    description: 'All responses to one message together; calls beyond it get `-32702`',
  }),
  maxBatch: variable.integer('EVENTS_MAX_BATCH', {
    default: 50,
    max: 1_000,
    description: 'Calls in one JSON-RPC batch',
  }),
  maxFilterDepth: variable.integer('EVENTS_MAX_FILTER_DEPTH', {
    default: 16,
    max: 100,
    description: 'Nesting depth of a filter',
  }),
  maxFilterSize: variable.integer('EVENTS_MAX_FILTER_SIZE', {
    default: 1_000,
    max: 100_000,
    description: 'Attribute filters and combinators in one filter',
  }),
  maxFilterBytes: variable.integer('EVENTS_MAX_FILTER_BYTES', {
    default: 524_288,
    min: 1_024,
    max: 67_108_864,
    unit: 'bytes',
    description:
      'Estimated memory of one filter: about 400 bytes for each attribute filter and combinator',
  }),
  maxFilterBytesPerConnection: variable.integer('EVENTS_MAX_FILTER_BYTES_PER_CONNECTION', {
    default: 4_194_304,
    min: 1_024,
    max: 1_073_741_824,
    unit: 'bytes',
    description: 'Memory of the filters of one connection',
  }),
  maxFilterBytesInAll: variable.integer('EVENTS_MAX_FILTER_BYTES_IN_ALL', {
    default: 268_435_456,
    min: 1_024,
    max: 17_179_869_184,
    unit: 'bytes',
    description:
      'Memory of all filters of this process. One client address gets a sixteenth of what no other uses',
  }),
  maxFieldPathsPerConnection: variable.integer('EVENTS_MAX_FIELD_PATHS_PER_CONNECTION', {
    default: 128,
    description: 'Different `MoveEventField` paths in the filters of one connection',
  }),
  maxFieldPathsInAll: variable.integer('EVENTS_MAX_FIELD_PATHS_IN_ALL', {
    default: 4_096,
    description:
      'Different `MoveEventField` paths in the filters of this process; each is resolved once in every Move event. One client address gets a sixteenth of what no other uses',
  }),
  maxNodeCalls: variable.derivedInteger('EVENTS_MAX_NODE_CALLS', {
    max: 1_000,
    write: '8, or 2 where events come from `LEDGER_URL`',
    description: 'Concurrent ledger node calls for client queries',
  }),
  nodeCallsPerRequest: variable.integer('EVENTS_NODE_CALLS_PER_REQUEST', {
    default: 1_500,
    description:
      'Ledger node calls for one request, all queries of a batch together; beyond it queries fail with `-32000`',
  }),
  nodeCallsPerSecond: variable.derivedInteger('EVENTS_NODE_CALLS_PER_SECOND_PER_CLIENT', {
    write: '200, or 20 where events come from `LEDGER_URL`',
    description:
      'Ledger node calls per second for one client address, with bursts of ten seconds’ worth; a response of more than 64 KiB counts as several. More get `-32009`',
  }),
  memoryBudgetBytes: variable.derivedInteger('EVENTS_MEMORY_BUDGET_BYTES', {
    min: 16_777_216,
    max: 1_099_511_627_776,
    unit: 'bytes',
    write: 'a third of the heap limit',
    description:
      'Memory used on behalf of all clients: responses, filters, incomplete messages. Beyond it the largest consumer is closed',
  }),
  memoryPerClientBytes: variable.integer('EVENTS_MEMORY_PER_CLIENT_BYTES', {
    default: 67_108_864,
    min: 1_048_576,
    max: 17_179_869_184,
    unit: 'bytes',
    description:
      'Memory used on behalf of one client address; beyond it its largest connection is closed',
  }),
  bodyLimitBytes: variable.integer('EVENTS_BODY_LIMIT_BYTES', {
    default: 1_048_576,
    min: 1_024,
    max: 67_108_864,
    unit: 'bytes',
    description: 'Largest request body and WebSocket message',
  }),
  pingIntervalMs: variable.integer('EVENTS_PING_INTERVAL_MS', {
    default: 30_000,
    min: 100,
    max: 600_000,
    unit: 'ms',
    description:
      'Interval of pings; a client that has not responded by the next ping is disconnected',
  }),
};
