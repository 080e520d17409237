import type { Limits } from './limit.js';

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
    default: 4_096,
    error: '408',
    unit: 'bytes',
  },
  unreadResponse: {
    what: 'Least bytes of a response that a client reads in 5 s',
    per: 'connection',
    default: 4_096,
    error: 'the connection is closed',
    unit: 'bytes',
  },
} as const satisfies Limits;
