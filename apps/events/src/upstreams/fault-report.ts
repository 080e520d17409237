import { LRUCache } from 'lru-cache';
import type { Metrics } from '@forecourt/runtime/metrics';
import type { Logger } from '@forecourt/runtime/service';

const faultKinds = ['inconvertible', 'gap', 'rate_limited', 'invalid_reply'] as const;

/** A response of a node that cannot be converted to events. */
export interface UpstreamFault {
  readonly kind: (typeof faultKinds)[number];
  /** The node's host and port. */
  readonly host: string;
  readonly message: string;
}

export type ReportFault = (fault: UpstreamFault) => void;

/** Queries and retries repeat a permanent fault; the log shows it once in this time. */
const LOGGED_MS = 60_000;
const REMEMBERED = 1_000;

/** Counts every fault of the nodes at `hosts`, and logs each. */
export function createFaultReport(
  metrics: Metrics,
  logger: Logger,
  hosts: readonly string[],
): ReportFault {
  const faults = metrics.counter<{ upstream: string; kind: UpstreamFault['kind'] }>({
    name: 'events_upstream_faults_total',
    help: 'Responses of ledger nodes that cannot be converted to events: a transaction that cannot be converted, a gap in checkpoints, a rate limit, no JSON-RPC reply.',
    labels: ['upstream', 'kind'],
    known: hosts.flatMap((upstream) => faultKinds.map((kind) => ({ upstream, kind }))),
  });
  const logged = new LRUCache<string, true>({ max: REMEMBERED, ttl: LOGGED_MS });
  return ({ kind, host, message }) => {
    faults.add({ upstream: host, kind });
    // Texts that differ only in the time to wait are the same fault.
    const key = kind === 'rate_limited' ? `${kind} ${host}` : `${kind} ${host} ${message}`;
    if (logged.has(key)) return;
    logged.set(key, true);
    const level = kind === 'inconvertible' || kind === 'gap' ? 'error' : 'warn';
    logger[level]({ upstream: host, kind, error: message }, 'Fault of an upstream');
  };
}
