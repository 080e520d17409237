/** A limit on callers or clients, as the configuration and its documentation show it. */
export interface Limit {
  readonly what: string;
  /** Whom it is counted for, and how it is shared. */
  readonly per: string;
  /** A text: how the value follows from others. */
  readonly default: number | string;
  /** The environment variable that changes it; null: it is fixed. */
  readonly variable: string | null;
  /** What happens beyond it. */
  readonly error: string;
  /** Bounds of the variable; by default 1 and a million. */
  readonly min?: number;
  readonly max?: number;
  readonly unit?: string;
}

export type Limits = Readonly<Record<string, Limit>>;

/** The part that one token may hold of what no other token holds; and one user, of what its token may hold. */
export const TOKEN_SHARE = 1 / 2;
/** The part that one client address may hold of what no other one holds: 32 clients leave an eighth. */
export const CLIENT_SHARE = 1 / 16;

const TOKEN_GETS = 'one token gets half of what no other uses';
const CLIENT_GETS = 'one client address gets a sixteenth of what no other uses';

/** Limits on the callers of the HTTP API, and on clients of `/rpc` at a gateway. */
export const gatewayLimits = {
  maxGasBudget: {
    what: 'Gas budget; only the compatibility port takes more than 2000000000',
    per: 'reservation',
    default: 2_000_000_000,
    variable: 'MAX_GAS_BUDGET',
    error: '400',
    max: 50_000_000_000,
    unit: 'smallest unit',
  },
  maxReserveDurationSecs: {
    what: 'Duration',
    per: 'reservation',
    default: 600,
    variable: 'MAX_RESERVE_DURATION_SECS',
    error: '400',
    max: 600,
    unit: 's',
  },
  reserveMaxPoolShare: {
    what: 'Coins reserved or in flight, as a share of those that no other caller holds; 100 if there is only one caller',
    per: 'caller; a token’s `reserve` overrides it',
    default: 50,
    variable: 'RESERVE_MAX_POOL_SHARE',
    error: '429 `RESERVATION_LIMIT`',
    max: 100,
    unit: '%',
  },
  reserveMaxCoins: {
    what: 'Coins held at once',
    per: 'caller; a token’s `reserve` overrides it',
    default: 10_000,
    variable: 'RESERVE_MAX_COINS',
    error: '429 `RESERVATION_LIMIT`',
    max: 10_000_000,
  },
  reserveMaxBudget: {
    what: 'Sum of the gas budgets held at once',
    per: 'caller; a token’s `reserve` overrides it',
    default: 1_000_000_000_000,
    variable: 'RESERVE_MAX_BUDGET',
    error: '429 `RESERVATION_LIMIT`',
    max: Number.MAX_SAFE_INTEGER,
    unit: 'smallest unit',
  },
  quarantineMax: {
    what: 'Transactions that end in quarantine, where they bind coins until the epoch ends, in ten minutes',
    per: 'caller; a token’s `quarantine` overrides it',
    default: 20,
    variable: 'QUARANTINE_MAX',
    error: '429 `QUARANTINE_LIMIT` for executions',
    max: 1_000,
  },
  quarantineWindowSecs: {
    what: 'Time in which transactions that end in quarantine are counted',
    per: 'caller; a token’s `quarantine` overrides it',
    default: 600,
    variable: null,
    error: 'counted anew',
    unit: 's',
  },
  maxReservations: {
    what: 'Reserve requests in progress',
    per: `gateway; ${TOKEN_GETS}`,
    default: 1_000,
    variable: 'MAX_RESERVATIONS_AT_ONCE',
    error: '503 `OVERLOADED`',
  },
  maxExecutions: {
    what: 'Execute requests in progress, those that wait included',
    per: `gateway; ${TOKEN_GETS}`,
    default: 5_000,
    variable: 'MAX_EXECUTIONS_AT_ONCE',
    error: '503 `OVERLOADED`',
  },
  maxDryRuns: {
    what: 'Requests to dry-run or build in progress',
    per: `gateway; ${TOKEN_GETS}`,
    default: 64,
    variable: null,
    error: '503 `OVERLOADED`',
  },
  maxDryRunsPerMinute: {
    what: 'Requests to dry-run or build in a minute',
    per: 'caller at one gateway',
    default: 600,
    variable: 'MAX_DRY_RUNS_PER_MINUTE',
    error: '429 `DRY_RUN_LIMIT`',
  },
  maxQueued: {
    what: 'Executions that wait for an executor',
    per: 'fleet',
    default: 10_000,
    variable: 'MAX_QUEUED_EXECUTIONS',
    error: '503 `OVERLOADED`',
    max: 10_000_000,
  },
  maxRefusedExecutions: {
    what: 'Transactions in a minute that are refused after look-ups, a dry run or a submission, or whose inputs do not show yet',
    per: 'caller in the fleet',
    default: 300,
    variable: 'MAX_REFUSED_EXECUTIONS_PER_MINUTE',
    error: '429 `REFUSED_TOO_OFTEN`',
  },
  maxGasPriceRatio: {
    what: 'Gas price as a multiple of the reference gas price, unless an access rule allows more',
    per: 'transaction',
    default: 5,
    variable: null,
    error: '400 `GAS_PRICE_TOO_HIGH`',
  },
  rpcRequestsPerSecond: {
    what: 'Requests and WebSockets at `/rpc` in a second, with bursts of ten seconds’ worth; each KiB of a body and each 8 KiB of responses count as one',
    per: 'client address at one gateway',
    default: 200,
    variable: 'RPC_REQUESTS_PER_SECOND',
    error: '429',
  },
  maxRpcRequests: {
    what: 'Requests at `/rpc` in progress',
    per: `gateway; ${CLIENT_GETS}`,
    default: 1_024,
    variable: null,
    error: '429',
  },
  maxRpcSockets: {
    what: 'Open WebSockets at `/rpc`',
    per: `gateway; ${CLIENT_GETS}`,
    default: 20_000,
    variable: null,
    error: '429',
  },
  bodyLimitBytes: {
    what: 'Size of a body',
    per: 'request',
    default: 1_048_576,
    variable: null,
    error: '413 `PAYLOAD_TOO_LARGE`',
    unit: 'bytes',
  },
} as const satisfies Limits;

/** Limits on the clients of an events service. */
export const eventsLimits = {
  maxConnections: {
    what: 'Open WebSockets',
    per: `service; ${CLIENT_GETS}`,
    default: 10_000,
    variable: 'EVENTS_MAX_CONNECTIONS',
    error: '429',
  },
  maxSubscriptions: {
    what: 'Open subscriptions',
    per: `service; ${CLIENT_GETS}`,
    default: 100_000,
    variable: 'EVENTS_MAX_SUBSCRIPTIONS',
    error: '`-32006`',
    max: 10_000_000,
  },
  maxSubscriptionsPerConnection: {
    what: 'Open subscriptions',
    per: 'connection',
    default: 1_024,
    variable: 'EVENTS_MAX_SUBSCRIPTIONS_PER_CONNECTION',
    error: '`-32006`',
  },
  maxBufferedBytes: {
    what: 'Unread bytes',
    per: 'connection',
    default: 1_048_576,
    variable: 'EVENTS_MAX_BUFFERED_BYTES',
    error: 'its subscriptions end with `-32010`',
    min: 65_536,
    max: 268_435_456,
    unit: 'bytes',
  },
  maxPendingCalls: {
    what: 'Calls that run at once',
    per: 'connection',
    default: 32,
    variable: null,
    error: 'calls wait',
  },
  maxPendingCallsInAll: {
    what: 'Calls queued or running, each call of a batch counted',
    per: `service; ${CLIENT_GETS}`,
    default: 8_192,
    variable: null,
    error: '`-32009`, over HTTP with status 429',
  },
  maxAnswerBytes: {
    what: 'All responses together',
    per: 'message',
    default: 16_777_216,
    variable: null,
    error: '`-32702`',
    unit: 'bytes',
  },
  maxBatch: {
    what: 'Calls',
    per: 'JSON-RPC batch',
    default: 50,
    variable: null,
    error: '`-32600`',
  },
  maxFilterDepth: {
    what: 'Nesting depth',
    per: 'filter',
    default: 16,
    variable: null,
    error: '`-32602`',
  },
  maxFilterSize: {
    what: 'Attribute filters and combinators',
    per: 'filter',
    default: 1_000,
    variable: null,
    error: '`-32602`',
  },
  maxFilterBytes: {
    what: 'Estimated memory: about 400 bytes for each attribute filter and combinator',
    per: 'filter',
    default: 524_288,
    variable: null,
    error: '`-32602`',
    unit: 'bytes',
  },
  maxFilterBytesPerConnection: {
    what: 'Memory of filters',
    per: 'connection',
    default: 4_194_304,
    variable: null,
    error: '`-32006`',
    unit: 'bytes',
  },
  maxFilterBytesInAll: {
    what: 'Memory of filters',
    per: `service; ${CLIENT_GETS}`,
    default: 268_435_456,
    variable: null,
    error: '`-32006`',
    unit: 'bytes',
  },
  maxFieldPathsPerConnection: {
    what: 'Different `MoveEventField` paths in filters',
    per: 'connection',
    default: 128,
    variable: null,
    error: '`-32006`',
  },
  maxFieldPathsInAll: {
    what: 'Different `MoveEventField` paths in filters; each is resolved once in every Move event',
    per: `service; ${CLIENT_GETS}`,
    default: 4_096,
    variable: 'EVENTS_MAX_FIELD_PATHS_IN_ALL',
    error: '`-32006`',
  },
  maxNodeCalls: {
    what: 'Ledger node calls for queries at once',
    per: 'service; clients take turns',
    default: '8, or 2 where events come from `LEDGER_URL`',
    variable: 'EVENTS_MAX_NODE_CALLS',
    error: 'calls wait',
    max: 1_000,
  },
  nodeCallsPerRequest: {
    what: 'Ledger node calls, all queries of a batch together',
    per: 'message',
    default: 1_500,
    variable: 'EVENTS_NODE_CALLS_PER_REQUEST',
    error: '`-32000`',
  },
  nodeCallsPerSecond: {
    what: 'Ledger node calls in a second, with bursts of ten seconds’ worth; each 64 KiB of a response count as one',
    per: 'client address',
    default: '200, or 20 where events come from `LEDGER_URL`',
    variable: 'EVENTS_NODE_CALLS_PER_SECOND_PER_CLIENT',
    error: '`-32009`',
  },
  memoryBudgetBytes: {
    what: 'Memory of responses, filters and incomplete messages',
    per: 'service',
    default: 'a third of the heap limit',
    variable: 'EVENTS_MEMORY_BUDGET_BYTES',
    error: 'the largest connection is closed',
    min: 16_777_216,
    max: 1_099_511_627_776,
    unit: 'bytes',
  },
  memoryPerClientBytes: {
    what: 'Memory of responses, filters and incomplete messages',
    per: 'client address',
    default: 67_108_864,
    variable: 'EVENTS_MEMORY_PER_CLIENT_BYTES',
    error: 'its largest connection is closed',
    min: 1_048_576,
    max: 17_179_869_184,
    unit: 'bytes',
  },
  bodyLimitBytes: {
    what: 'Size of a body or a WebSocket message',
    per: 'message',
    default: 1_048_576,
    variable: null,
    error: '413, or the connection is closed',
    unit: 'bytes',
  },
} as const satisfies Limits;

/** Limits of every service that listens. */
export const listenerLimits = {
  connections: {
    what: 'Open connections',
    per: 'service; an address or a /48 network that holds most gives way',
    default: 'by the heap limit and the files that may be open',
    variable: null,
    error: 'the longest idle connection is closed',
  },
  bodyMemory: {
    what: 'Memory of bodies, as they arrive',
    per: 'service; one client gets an eighth of what no other uses',
    default: 'an eighth of the heap limit',
    variable: null,
    error: '503, or 429 at `/rpc`',
  },
  bodyRate: {
    what: 'Least bytes of a body in 5 s',
    per: 'request',
    default: 4_096,
    variable: null,
    error: '408',
    unit: 'bytes',
  },
  unreadResponse: {
    what: 'Least bytes of a response that a client reads in 5 s',
    per: 'connection',
    default: 4_096,
    variable: null,
    error: 'the connection is closed',
    unit: 'bytes',
  },
} as const satisfies Limits;
