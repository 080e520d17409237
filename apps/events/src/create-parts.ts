import { JsonRpcCode, JsonRpcError } from '@forecourt/json-rpc';
import { measureLedgerCalls, type Metrics } from '@forecourt/metrics';
import type { Logger } from '@forecourt/service-host';
import type { EventsConfig } from './events-config.js';
import type { RpcParts } from './rpc/method-table.js';
import { EventStream } from './stream/event-stream.js';
import { ClientSubscriptions } from './subscriptions/client-subscriptions.js';
import { SubscriptionHub } from './subscriptions/subscription-hub.js';
import { createSources } from './upstreams/create-sources.js';
import { Upstreams } from './upstreams/upstreams.js';

const ANOTHER_LEDGER = 'Subscription ended: the node serves another ledger than before';

/** The service's parts, wired: upstreams feed the stream, the stream feeds the hub, the hub the clients. */
export function createParts(config: EventsConfig, metrics: Metrics, logger: Logger): RpcParts {
  const upstreams = new Upstreams(createSources(config, measureLedgerCalls(metrics)), logger);
  const hub = new SubscriptionHub();
  const clients = new ClientSubscriptions(hub, {
    perConnection: config.maxSubscriptionsPerConnection,
    inAll: config.maxSubscriptions,
    maxBufferedBytes: config.maxBufferedBytes,
  });
  const stream = new EventStream(upstreams, logger, {
    onRecord: (shared) => hub.publish(shared),
    onReset: () => clients.endAll(new JsonRpcError(JsonRpcCode.callFailed, ANOTHER_LEDGER)),
  });
  const filterLimits = { maxDepth: config.maxFilterDepth, maxFilters: config.maxFilterSize };
  return { upstreams, stream, hub, clients, filterLimits };
}
