import { variable } from '@forecourt/runtime/config';

/** The limits on clients. */
export const limitVariables = {
  maxConnections: variable.integer('EVENTS_MAX_CONNECTIONS', {
    default: 10_000,
    min: 1,
    max: 1_000_000,
    description: 'WebSockets at once; more are refused with 503',
  }),
  maxConnectionsPerClient: variable.integer('EVENTS_MAX_CONNECTIONS_PER_CLIENT', {
    default: 256,
    min: 1,
    max: 1_000_000,
    description: 'WebSockets at once of one client address; more are refused with 429',
  }),
  trustedGateways: variable.networks('EVENTS_TRUSTED_GATEWAYS', {
    default: '127.0.0.0/8,::1,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7',
    description:
      'Where gateways may call from; only they are believed when they name the client whose limits a request counts for',
  }),
  maxSubscriptions: variable.integer('EVENTS_MAX_SUBSCRIPTIONS', {
    default: 100_000,
    min: 1,
    max: 10_000_000,
    description: 'Subscriptions at once in this process',
  }),
  maxSubscriptionsPerConnection: variable.integer('EVENTS_MAX_SUBSCRIPTIONS_PER_CONNECTION', {
    default: 1_024,
    min: 1,
    max: 1_000_000,
    description: 'Subscriptions at once on one connection',
  }),
  maxSubscriptionsPerClient: variable.integer('EVENTS_MAX_SUBSCRIPTIONS_PER_CLIENT', {
    default: 4_096,
    min: 1,
    max: 10_000_000,
    description: 'Subscriptions at once of one client address',
  }),
  maxBufferedBytes: variable.integer('EVENTS_MAX_BUFFERED_BYTES', {
    default: 1_048_576,
    min: 65_536,
    max: 268_435_456,
    unit: 'bytes',
    description: 'A client that has left more unread is told so, and its subscriptions end',
  }),
  maxPendingCalls: variable.integer('EVENTS_MAX_PENDING_CALLS', {
    default: 32,
    min: 1,
    max: 10_000,
    description: 'Calls of one connection that are worked on at once',
  }),
  maxPendingCallsPerClient: variable.integer('EVENTS_MAX_PENDING_CALLS_PER_CLIENT', {
    default: 256,
    min: 1,
    max: 1_000_000,
    description:
      'Calls of one client address that wait or are worked on, batches unfolded; more get `-32009`, over HTTP with status 429',
  }),
  maxPendingCallsInAll: variable.integer('EVENTS_MAX_PENDING_CALLS_IN_ALL', {
    default: 8_192,
    min: 1,
    max: 10_000_000,
    description: 'The same for all clients of this process together',
  }),
  maxAnswerBytes: variable.integer('EVENTS_MAX_ANSWER_BYTES', {
    default: 16_777_216,
    min: 1_048_576,
    max: 268_435_456,
    unit: 'bytes',
    description: 'The answers to one message, all calls of a batch together; more get `-32702`',
  }),
  maxBatch: variable.integer('EVENTS_MAX_BATCH', {
    default: 50,
    min: 1,
    max: 1_000,
    description: 'Calls in one JSON-RPC batch',
  }),
  maxFilterDepth: variable.integer('EVENTS_MAX_FILTER_DEPTH', {
    default: 16,
    min: 1,
    max: 100,
    description: 'Nesting of a filter',
  }),
  maxFilterSize: variable.integer('EVENTS_MAX_FILTER_SIZE', {
    default: 1_000,
    min: 1,
    max: 100_000,
    description: 'Attribute filters and combinators in one filter',
  }),
  maxFilterBytes: variable.integer('EVENTS_MAX_FILTER_BYTES', {
    default: 524_288,
    min: 1_024,
    max: 67_108_864,
    unit: 'bytes',
    description: 'Memory that one filter takes, by estimate: about 400 bytes for each of its parts',
  }),
  maxFilterBytesPerConnection: variable.integer('EVENTS_MAX_FILTER_BYTES_PER_CONNECTION', {
    default: 4_194_304,
    min: 1_024,
    max: 1_073_741_824,
    unit: 'bytes',
    description: 'Memory that the filters of one connection take',
  }),
  maxFilterBytesPerClient: variable.integer('EVENTS_MAX_FILTER_BYTES_PER_CLIENT', {
    default: 16_777_216,
    min: 1_024,
    max: 17_179_869_184,
    unit: 'bytes',
    description: 'Memory that the filters of one client address take',
  }),
  maxFilterBytesInAll: variable.integer('EVENTS_MAX_FILTER_BYTES_IN_ALL', {
    default: 268_435_456,
    min: 1_024,
    max: 17_179_869_184,
    unit: 'bytes',
    description: 'Memory that the filters of this process take',
  }),
  maxFieldPathsPerConnection: variable.integer('EVENTS_MAX_FIELD_PATHS_PER_CONNECTION', {
    default: 128,
    min: 1,
    max: 1_000_000,
    description: 'Different `MoveEventField` paths in the filters of one connection',
  }),
  maxFieldPathsPerClient: variable.integer('EVENTS_MAX_FIELD_PATHS_PER_CLIENT', {
    default: 256,
    min: 1,
    max: 1_000_000,
    description: 'Different `MoveEventField` paths in the filters of one client address',
  }),
  maxFieldPathsInAll: variable.integer('EVENTS_MAX_FIELD_PATHS_IN_ALL', {
    default: 4_096,
    min: 1,
    max: 1_000_000,
    description:
      'Different `MoveEventField` paths in the filters of this process: each is looked up once in every Move event',
  }),
  maxNodeCalls: variable.parsed<number | null>('EVENTS_MAX_NODE_CALLS', {
    default: null,
    write: '8, or 2 where events come from `LEDGER_URL`',
    kind: 'integer, 1 to 1000',
    description: 'Calls to the node that clients’ queries cause at once',
    parse: parseNodeCalls,
  }),
  nodeCallsPerRequest: variable.integer('EVENTS_NODE_CALLS_PER_REQUEST', {
    default: 1_500,
    min: 1,
    max: 1_000_000,
    description:
      'Calls to the node that one request may cause, all queries of a batch together; then it ends with `-32000`',
  }),
  nodeCallsPerSecond: variable.integer('EVENTS_NODE_CALLS_PER_SECOND_PER_CLIENT', {
    default: 200,
    min: 1,
    max: 1_000_000,
    description:
      'Calls to the node that one client address may cause in the long run, an answer of more than 64 KiB counting for several; ten seconds’ worth at once. More get `-32009`',
  }),
  memoryBudgetBytes: variable.parsed<number | null>('EVENTS_MEMORY_BUDGET_BYTES', {
    default: null,
    write: 'a third of the heap’s limit',
    kind: 'integer, from 16777216 (bytes)',
    description:
      'Memory that is held for all clients: answers, filters, unfinished messages. Beyond it the largest consumer is ended',
    parse: parseMemory,
  }),
  memoryPerClientBytes: variable.integer('EVENTS_MEMORY_PER_CLIENT_BYTES', {
    default: 67_108_864,
    min: 1_048_576,
    max: 17_179_869_184,
    unit: 'bytes',
    description:
      'Memory that is held for one client address; beyond it its largest connection is ended',
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
    description: 'How often a client is pinged; one that has not answered by the next is gone',
  }),
};

const LEAST_MEMORY = 16 * 2 ** 20;
const MOST_NODE_CALLS = 1_000;

function parseNodeCalls(text: string): number {
  const calls = Number(text);
  if (!Number.isSafeInteger(calls) || calls < 1 || calls > MOST_NODE_CALLS) {
    throw new Error(`must be an integer from 1 to ${MOST_NODE_CALLS}`);
  }
  return calls;
}

function parseMemory(text: string): number {
  const bytes = Number(text);
  if (!Number.isSafeInteger(bytes) || bytes < LEAST_MEMORY) {
    throw new Error(`must be an integer from ${LEAST_MEMORY}`);
  }
  return bytes;
}
