import { JsonRpcCode, specifiedFormat } from '@forecourt/contracts';
import { type CallContext, type RpcConnection } from '@forecourt/json-rpc';
import { describe, expect, it } from '@jest/globals';
import { partial } from '@forecourt/testing/jest';
import type { EventsConfig } from '../config/events-config.js';
import type { EventStream } from '../stream/event-stream.js';
import type { NodeCalls } from '../upstreams/node-calls.js';
import type { EventReplay } from './event-replay.js';
import type { PositionCheck } from './position-check.js';
import type { SubscriptionHub } from './subscription-hub.js';
import { SubscriptionQuota } from './subscription-quota.js';
import { SubscriptionsService } from './subscriptions.service.js';

describe('a subscription that cannot be opened', () => {
  it('gives its share back, so that the next one fails for the same reason', async () => {
    const quota = new SubscriptionQuota(
      partial({
        maxFilterBytes: 1_000,
        maxFilterBytesPerConnection: 10_000,
        maxFilterBytesInAll: 10_000,
        maxFieldPathsPerConnection: 1,
        maxSubscriptionsPerConnection: 1,
        maxSubscriptions: 1,
        maxFieldPathsInAll: 1,
      }),
    );
    const stream = { demand: { raise: async () => undefined }, recent: null };
    const service = new SubscriptionsService(
      stream as unknown as EventStream,
      partial({ requireSameLedger: async () => undefined }),
      quota,
      {} as SubscriptionHub,
      {} as EventReplay,
      {} as PositionCheck,
      {} as NodeCalls,
      { maxFilterDepth: 16, maxFilterSize: 10 } as EventsConfig,
    );
    const connection = { client: '203.0.113.1', memory: { add: () => () => undefined } };
    const context = { connection: connection as unknown as RpcConnection } as CallContext;
    const called = { name: 'ledger_subscribeEvent', format: specifiedFormat };
    const params = [{ MoveEventField: { path: '/a', value: 1 } }];
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(service.subscribe(params, context, called)).rejects.toMatchObject({
        code: JsonRpcCode.callFailed,
        message: expect.stringContaining('Event stream unavailable'),
      });
    }
  });
});
