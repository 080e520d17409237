import type { Limits } from './limit.js';

/** A client that sends or takes less keeps its connection for nothing. */
const LEAST_BYTES = 4_096;

/** Limits of every service that listens. */
export const listenerLimits = {
  connections: {
    what: 'Open connections',
    per: 'service',
    default: 'by heap and open files',
    error: 'the largest holder’s idle connection is closed',
  },
  bodyMemory: {
    what: 'Memory of bodies, as they arrive',
    per: 'service',
    default: 'an eighth of the heap limit',
    error: '503, or 429 at `/rpc`',
  },
  bodyBytes: {
    what: 'Size of a body, elsewhere than at `/rpc`',
    per: 'request',
    default: '4 KiB; to reserve or release 1 KiB, with a transaction 179 KiB, to execute 243 KiB',
    error: '413',
  },
  bodyStructure: {
    what: 'Nesting depth of JSON beyond 16 KiB, which needs 8 bytes for each of its values',
    per: 'body',
    default: 512,
    error: '400',
  },
  processorTime: {
    what: 'Processor time for reading bodies, refused ones too, in 10 s',
    per: 'client',
    default: 1_000,
    error: '503, or 429 at `/rpc`',
    unit: 'ms',
  },
  bodyRate: {
    what: 'Least bytes of a body in 5 s',
    per: 'request',
    default: LEAST_BYTES,
    error: '408',
    unit: 'bytes',
  },
  unreadResponse: {
    what: 'Least bytes of a response that a client reads in 5 s',
    per: 'connection',
    default: LEAST_BYTES,
    error: 'the connection is closed',
    unit: 'bytes',
  },
  requestsOfConnection: {
    what: 'Requests in progress',
    per: 'connection',
    default: 1,
    error: 'the connection is closed after the answer',
  },
  unprovenConnections: {
    what: 'Connections that have not proved that they belong to the fleet',
    per: 'coin-pool or history service',
    default: 100,
    error: 'one of the largest holder is closed',
  },
  pacedConnections: {
    what: 'New connections in a second, for 5 s after one on which a request came before the last answer',
    per: 'client network',
    default: 100,
    error: 'they wait, 3 s at most',
  },
  metricsReadings: {
    what: 'Readings of `/metrics` in a second, after ten',
    per: 'listener',
    default: 1,
    error: 'the last one is sent again',
  },
} as const satisfies Limits;
