import { Module } from '@nestjs/common';
import { measureLedgerCalls, Metrics } from '@forecourt/runtime/metrics';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import { EVENTS_CONFIG } from '../config/events-config.module.js';
import type { EventsConfig } from '../config/events-config.js';
import { createFaultReport } from './create-fault-report.js';
import { createNodeCalls } from './create-node-calls.js';
import { createSources, listUpstreams } from './create-sources.js';
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
