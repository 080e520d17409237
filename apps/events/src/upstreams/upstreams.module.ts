import { Module } from '@nestjs/common';
import { measureLedgerCalls, Metrics } from '@forecourt/runtime/metrics';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import type { EventsConfig } from '../config/events-config.js';
import { EVENTS_CONFIG } from '../config/events-config.module.js';
import { createSources, listUpstreams } from './create-sources.js';
import { createFaultReport } from './fault-report.js';
import { NodeCalls } from './node-calls.js';
import { Upstreams } from './upstreams.js';

/** The ledger nodes that events come from, and the limits on calls for clients. */
@Module({
  providers: [
    {
      provide: Upstreams,
      inject: [EVENTS_CONFIG, Metrics, LOGGER],
      useFactory: (config: EventsConfig, metrics: Metrics, logger: Logger) => {
        const hosts = new Set(listUpstreams(config).map(({ url }) => new URL(url).host));
        const onCall = measureLedgerCalls(metrics);
        const onFault = createFaultReport(metrics, logger, [...hosts]);
        return new Upstreams(createSources(config, { onCall, onFault }), logger);
      },
    },
    { provide: NodeCalls, inject: [EVENTS_CONFIG, LOGGER], useFactory: createNodeCalls },
  ],
  exports: [Upstreams, NodeCalls],
})
export class UpstreamsModule {}

/** Responses that arrive together are parsed in one turn of the event loop, which delays all other work. */
const DEDICATED_NODE = { atOnce: 8, perSecond: 200, rest: { light: 0, heavy: 0 } };
/**
 * For a node that also executes transactions, where queries must not delay sponsoring: a slot stays empty after each
 * call, so that heavy clients take at most a quarter of the node's time.
 */
const SHARED_NODE = { atOnce: 2, perSecond: 20, rest: { light: 1, heavy: 3 } };
/** A node's response shows more of a transaction than its events. */
const NODE_RESPONSE_FACTOR = 2;

/** Logs a warning when queries and sponsorship would use the same node. */
function createNodeCalls(config: EventsConfig, logger: Logger): NodeCalls {
  const isShared = sharesNode(config);
  if (isShared) {
    logger.warn(
      { nodes: config.ledgerUrls.map((url) => new URL(url).host) },
      'Event queries use the node that transactions are submitted to (LEDGER_URL) and are slowed down to protect it; set EVENTS_UPSTREAMS to dedicated nodes',
    );
  }
  const limits = isShared ? SHARED_NODE : DEDICATED_NODE;
  const { atOnce } = limits;
  return new NodeCalls({
    atOnce,
    perClient: Math.max(1, Math.floor(atOnce / 2)),
    rest: limits.rest,
    perMessage: config.nodeCallsPerRequest,
    perSecond: config.nodeCallsPerSecond ?? limits.perSecond,
    maxResponseBytes: NODE_RESPONSE_FACTOR * config.maxAnswerBytes,
  });
}

function sharesNode({ upstreams, ledgerUrls }: EventsConfig): boolean {
  if (upstreams.length === 0) return true;
  const hosts = new Set(ledgerUrls.map((url) => new URL(url).host));
  return upstreams.some(({ url }) => hosts.has(new URL(url).host));
}
