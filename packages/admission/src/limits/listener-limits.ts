import type { Limits } from './limit.js';

/** Limits of every service that listens. */
export const listenerLimits = {
  connections: {
    what: 'Open connections',
    per: 'service',
    default: 'by heap and open files',
    variable: null,
    error: 'the largest holder’s idle connection is closed',
  },
  bodyMemory: {
    what: 'Memory of bodies, as they arrive',
    per: 'service',
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
