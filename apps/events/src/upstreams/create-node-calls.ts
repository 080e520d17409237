import type { Logger } from '@forecourt/runtime/service';
import type { EventsConfig } from '../config/events-config.js';
import { NodeCalls } from './node-calls.js';

/** Responses that arrive together are parsed in one turn of the event loop, which delays all other work. */
const CONCURRENCY = 8;
/** For a node that also executes transactions: queries must not delay sponsorship. */
const SHARED_CONCURRENCY = 2;
/** For one client. */
const CALLS_PER_SECOND = 200;
const SHARED_CALLS_PER_SECOND = 20;
/** On a shared node a slot stays empty after each call: heavy clients take at most a quarter of the node's time. */
const SHARED_REST = { light: 1, heavy: 3 };
const NO_REST = { light: 0, heavy: 0 };
/** A node's response shows more of a transaction than its events. */
const NODE_RESPONSE_FACTOR = 2;

/** Logs a warning when queries and sponsorship would use the same node. */
export function createNodeCalls(config: EventsConfig, logger: Logger): NodeCalls {
  const isShared = sharesNode(config);
  if (isShared) {
    logger.warn(
      { nodes: config.ledgerUrls.map((url) => new URL(url).host) },
      'Event queries use the node that transactions are submitted to (LEDGER_URL) and are slowed down to protect it; set EVENTS_UPSTREAMS to dedicated nodes',
    );
  }
  const atOnce = isShared ? SHARED_CONCURRENCY : CONCURRENCY;
  return new NodeCalls({
    atOnce,
    perClient: Math.max(1, Math.floor(atOnce / 2)),
    rest: isShared ? SHARED_REST : NO_REST,
    perMessage: config.nodeCallsPerRequest,
    perSecond: config.nodeCallsPerSecond ?? (isShared ? SHARED_CALLS_PER_SECOND : CALLS_PER_SECOND),
    maxResponseBytes: NODE_RESPONSE_FACTOR * config.maxAnswerBytes,
  });
}

function sharesNode({ upstreams, ledgerUrls }: EventsConfig): boolean {
  if (upstreams.length === 0) return true;
  const hosts = new Set(ledgerUrls.map((url) => new URL(url).host));
  return upstreams.some(({ url }) => hosts.has(new URL(url).host));
}
