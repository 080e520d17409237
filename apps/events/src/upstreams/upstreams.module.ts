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
 * For a node that also executes transactions, where queries must not delay sponsoring: a slot stays empty
 * after each call, so that heavy clients take at most a quarter of the node's time.
 */
const SHARED_NODE = { atOnce: 2, perSecond: 20, rest: { light: 1, heavy: 3 } };
/**
 * After each read of a heavy client, its connection to the database of the index is left to others for as
 * long.
 */
const INDEX_REST = { light: 0, heavy: 1 };
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
  // The other half of the connections is for those that write the index.
  const indexReads = Math.floor(config.databaseConnections / 2);
  return new NodeCalls({
    atOnce,
    perClient: halfOf(atOnce),
    indexReads: { atOnce: indexReads, perClient: halfOf(indexReads), rest: INDEX_REST },
    rest: limits.rest,
    perMessage: config.nodeCallsPerRequest,
    perSecond: config.nodeCallsPerSecond ?? limits.perSecond,
    maxResponseBytes: NODE_RESPONSE_FACTOR * config.maxAnswerBytes,
  });
}

function halfOf(places: number): number {
  return Math.max(1, Math.floor(places / 2));
}

function sharesNode({ upstreams, ledgerUrls }: EventsConfig): boolean {
  if (upstreams.length === 0) return true;
  const hosts = new Set(ledgerUrls.map((url) => new URL(url).host));
  return upstreams.some(({ url }) => hosts.has(new URL(url).host));
}
