import { describe, expect, it } from '@jest/globals';
import type { JsonRpcError } from '@forecourt/json-rpc';
import { createLogger } from '@forecourt/runtime/service';
import type { EventStream } from '../stream/event-stream.js';
import type { EventSource } from '../upstreams/event-source.js';
import type { NodeCalls } from '../upstreams/node-calls.js';
import { SERVICE_SESSION } from '../upstreams/node-session.js';
import { Upstreams } from '../upstreams/upstreams.js';
import { EventReplay } from './event-replay.js';
import type { Subscription } from './subscription.js';
import type { SubscriptionHub } from './subscription-hub.js';

const logger = createLogger('test', 'fatal');

describe('EventReplay', () => {
  it('ends the subscription after an unexpected error', async () => {
    const source = { name: 'a', getEvents: async () => ({}) } as unknown as EventSource;
    const openSession = () => ({ ...SERVICE_SESSION, end: () => undefined });
    const replay = new EventReplay(
      new Upstreams([source], logger),
      { openSession } as unknown as NodeCalls,
      { recent: null, last: null } as unknown as EventStream,
      {} as unknown as SubscriptionHub,
      logger,
    );
    const error = await new Promise<JsonRpcError>((resolve) => {
      const filter = { key: 'EventType', kind: 'Checkpoint' };
      const subscription = { filter, connection: {}, isEnded: false, end: resolve };
      replay.start(subscription as unknown as Subscription, { txSeq: 0, eventSeq: 0 });
    });
    expect(error).toMatchObject({
      code: -32_603,
      message: expect.stringMatching(/^Subscription ended: internal error/),
    });
  });
});
