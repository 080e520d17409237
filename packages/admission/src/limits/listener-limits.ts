import type { Limits } from './limit.js';

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
