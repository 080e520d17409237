import { variable } from '@forecourt/runtime/config';

// Every limit on the clients of `/rpc`, with its scope, its value or its variable and default, and the error beyond it. A
// client is an IPv4 address, or the /64 network of an IPv6 address.

/** The part that one client may hold of what no other client holds: 32 clients leave an eighth. */
export const CLIENT_SHARE = 1 / 16;

/** The limits that are the same everywhere. */
export const fixedLimits = {
  /** Bytes of a body (413 with `-32701`) or of a WebSocket message (close code 1009). */
  bodyLimitBytes: 2 ** 20,
  /** Calls in a batch; `-32600`. */
  maxBatch: 50,
  /** Bytes of all responses to a message; `-32702` for the calls that do not fit. */
  maxAnswerBytes: 16 * 2 ** 20,

  /** Calls of a connection that run at once; nothing more is read from it meanwhile. */
  maxPendingCalls: 32,
  /** Queued and running calls in this process, of which a client gets its share; `-32009`, over HTTP with status 429. */
  maxPendingCallsInAll: 8_192,

  /** Nesting depth of a filter; `-32602`. */
  maxFilterDepth: 16,
  /** Attribute filters and combinators in a filter; `-32602`. */
  maxFilterSize: 1_000,
  /** Estimated memory of a filter, about 400 bytes for each attribute filter and combinator; `-32602`. */
  maxFilterBytes: 2 ** 19,
  /** Memory of the filters of a connection; `-32006`. */
  maxFilterBytesPerConnection: 4 * 2 ** 20,
  /** Memory of the filters in this process, of which a client gets its share; `-32006`. */
  maxFilterBytesInAll: 256 * 2 ** 20,
  /** Different `MoveEventField` paths in the filters of a connection; `-32006`. */
  maxFieldPathsPerConnection: 128,
} as const;

/** The limits that operators may change. */
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
    description: 'Open subscriptions on one connection; more get `-32006`',
  }),
  maxFieldPathsInAll: variable.integer('EVENTS_MAX_FIELD_PATHS_IN_ALL', {
    default: 4_096,
    description:
      'Different `MoveEventField` paths in the filters of this process; each is resolved once in every Move event. One client address gets a sixteenth of what no other uses; more get `-32006`',
  }),
  maxBufferedBytes: variable.integer('EVENTS_MAX_BUFFERED_BYTES', {
    default: 1_048_576,
    min: 65_536,
    max: 268_435_456,
    unit: 'bytes',
    description: 'Unread bytes of a connection; beyond it its subscriptions end with `-32010`',
  }),
  maxNodeCalls: variable.derivedInteger('EVENTS_MAX_NODE_CALLS', {
    max: 1_000,
    write: '8, or 2 where events come from `LEDGER_URL`',
    description: 'Concurrent ledger node calls for client queries; others wait for their turn',
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
      'Memory used on behalf of all clients: responses, filters, incomplete messages. Beyond it the largest consumer is closed, with close code 1013',
  }),
  memoryPerClientBytes: variable.integer('EVENTS_MEMORY_PER_CLIENT_BYTES', {
    default: 67_108_864,
    min: 1_048_576,
    max: 17_179_869_184,
    unit: 'bytes',
    description:
      'Memory used on behalf of one client address; beyond it its largest connection is closed, with close code 1013',
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
