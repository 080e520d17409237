import type { Logger } from '@forecourt/runtime/service';
import type { EventsConfig } from './events-config.js';
import { NodeCalls } from './upstreams/node-calls.js';

/** Their answers come in the same turn of the event loop at worst, and everybody else waits that long. */
const AT_ONCE = 8;
/** At a node that executes transactions too, whose answers to sponsoring must not wait for those to queries. */
const AT_ONCE_WHERE_SHARED = 2;
/** There a place rests as long as the call before has taken, so that queries take half of the node's time at most. */
const REST_WHERE_SHARED = 1;
/** A node tells more of a transaction than its events. */
const NODE_ANSWER_FACTOR = 2;

/** Says at start where queries and sponsoring would use the same node. */
export function createNodeCalls(config: EventsConfig, logger: Logger): NodeCalls {
  const isShared = sharesNode(config);
  if (isShared) {
    logger.warn(
      { node: new URL(config.ledgerUrl).host },
      'events come from the node that transactions are submitted to (LEDGER_URL), so queries are slowed down to leave it free; set EVENTS_UPSTREAMS to nodes of their own',
    );
  }
  const atOnce = config.maxNodeCalls ?? (isShared ? AT_ONCE_WHERE_SHARED : AT_ONCE);
  return new NodeCalls({
    atOnce,
    perClient: Math.max(1, Math.floor(atOnce / 2)),
    restShare: isShared ? REST_WHERE_SHARED : 0,
    perMessage: config.nodeCallsPerRequest,
    perSecond: config.nodeCallsPerSecond,
    maxAnswerBytes: NODE_ANSWER_FACTOR * config.maxAnswerBytes,
  });
}

function sharesNode({ upstreams, ledgerUrl }: EventsConfig): boolean {
  if (upstreams.length === 0) return true;
  const { host } = new URL(ledgerUrl);
  return upstreams.some(({ url }) => new URL(url).host === host);
}
