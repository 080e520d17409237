import { JsonRpcCode, JsonRpcError } from '@forecourt/json-rpc';
import { measureLedgerCalls, type Metrics } from '@forecourt/runtime/metrics';
import type { Logger } from '@forecourt/runtime/service';
import { createNodeCalls } from './create-node-calls.js';
import { createServedClients } from './create-served-clients.js';
import type { EventsConfig } from './events-config.js';
import type { RpcParts } from './rpc/method-table.js';
import { EventStream } from './stream/event-stream.js';
import { ClientSubscriptions } from './subscriptions/client-subscriptions.js';
import { ReplayTurns } from './subscriptions/replay-turns.js';
import { SubscriptionHub } from './subscriptions/subscription-hub.js';
import { SubscriptionQuota } from './subscriptions/subscription-quota.js';
import { createSources } from './upstreams/create-sources.js';
import { Upstreams } from './upstreams/upstreams.js';

const ANOTHER_LEDGER = 'Subscription ended: the node serves another ledger than before';

/** The service's parts, wired: upstreams feed the stream, the stream feeds the hub, the hub the clients. */
export function createParts(config: EventsConfig, metrics: Metrics, logger: Logger): RpcParts {
  const upstreams = new Upstreams(createSources(config, measureLedgerCalls(metrics)), logger);
  const hub = new SubscriptionHub();
  const quota = createSubscriptionQuota(config);
  const clients = new ClientSubscriptions(hub, quota, config.maxBufferedBytes);
  const stream = new EventStream(upstreams, logger, {
    onRecord: (shared) => hub.publish(shared),
    onReset: () => clients.endAll(new JsonRpcError(JsonRpcCode.callFailed, ANOTHER_LEDGER)),
  });
  return {
    upstreams,
    stream,
    hub,
    clients,
    replays: new ReplayTurns(),
    nodeCalls: createNodeCalls(config, logger),
    served: createServedClients(config, logger),
    filterLimits: { maxDepth: config.maxFilterDepth, maxFilters: config.maxFilterSize },
  };
}

function createSubscriptionQuota(config: EventsConfig): SubscriptionQuota {
  return new SubscriptionQuota({
    maxFilterBytes: config.maxFilterBytes,
    perConnection: {
      subscriptions: config.maxSubscriptionsPerConnection,
      filterBytes: config.maxFilterBytesPerConnection,
      fieldPaths: config.maxFieldPathsPerConnection,
    },
    perClient: {
      subscriptions: config.maxSubscriptionsPerClient,
      filterBytes: config.maxFilterBytesPerClient,
      fieldPaths: config.maxFieldPathsPerClient,
    },
    inAll: {
      subscriptions: config.maxSubscriptions,
      filterBytes: config.maxFilterBytesInAll,
      fieldPaths: config.maxFieldPathsInAll,
    },
  });
}
