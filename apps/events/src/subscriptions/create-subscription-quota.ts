import type { EventsConfig } from '../config/events-config.js';
import { SubscriptionQuota } from './subscription-quota.js';

export function createSubscriptionQuota(config: EventsConfig): SubscriptionQuota {
  return new SubscriptionQuota({
    maxFilterBytes: config.maxFilterBytes,
    perConnection: {
      subscriptions: config.maxSubscriptionsPerConnection,
      filterBytes: config.maxFilterBytesPerConnection,
      fieldPaths: config.maxFieldPathsPerConnection,
    },
    inAll: {
      subscriptions: config.maxSubscriptions,
      filterBytes: config.maxFilterBytesInAll,
      fieldPaths: config.maxFieldPathsInAll,
    },
  });
}
