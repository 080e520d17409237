import { describe, expect, it } from '@jest/globals';
import type { CallContext } from '@forecourt/json-rpc';
import { Metrics } from '@forecourt/runtime/metrics';
import type { EventsConfig } from '../config/events-config.js';
import type { PositionCheck } from '../subscriptions/position-check.js';
import type { SubscriptionsService } from '../subscriptions/subscriptions.service.js';
import type { NodeCalls } from '../upstreams/node-calls.js';
import type { PastEvents } from '../upstreams/past-events.js';
import { RpcMethods } from './rpc-methods.js';

/** Answers a page with this record. Returns the bytes that are charged for it. */
async function bytesOf(name: string): Promise<number[]> {
  const charged: number[] = [];
  const session = { addMemory: (bytes: number) => charged.push(bytes), end: () => undefined };
  const data = [{ event: { name } }];
  const methods = new RpcMethods(
    { query: async () => ({ data, nextCursor: null, goesOn: false }) } as unknown as PastEvents,
    {} as SubscriptionsService,
    { openSession: () => session } as unknown as NodeCalls,
    {} as PositionCheck,
    { methodAliases: [] } as unknown as EventsConfig,
    new Metrics(),
  );
  await methods.call('ledger_getEvents', [{ All: [] }], {} as CallContext);
  return charged;
}

describe('the memory of a page', () => {
  it.each(['ascii', 'Ünï', '日本語', '🚗'])('is the bytes of its text, for %s', async (name) => {
    const text = JSON.stringify({ event: { name } });
    expect(await bytesOf(name)).toEqual([Buffer.byteLength(text)]);
  });
});
