import { describe, expect, it } from '@jest/globals';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { createLogger } from '@forecourt/runtime/service';
import type { AccessPolicy } from './access-policy.js';
import { FleetReload } from './fleet-reload.js';
import type { GatewayPresence } from './gateway-presence.js';

describe('reloading the access rules of a fleet', () => {
  it('is refused with STORE_UNREACHABLE while Redis is unreachable', async () => {
    const redis = { duplicate: () => ({ on: () => undefined }) } as unknown as RedisConnection;
    const access = { reload: async () => undefined } as unknown as AccessPolicy;
    const presence = {
      everyone: () => Promise.reject(new Error('connect ECONNREFUSED')),
    } as unknown as GatewayPresence;
    const reload = new FleetReload(redis, createLogger('test', 'fatal'), access, presence);
    await expect(reload.run()).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
  });

  it('is refused with STORE_UNREACHABLE while answers of other gateways cannot be received', async () => {
    const subscriber = {
      on: () => undefined,
      subscribe: () => Promise.reject(new Error('Connection is closed.')),
      unsubscribe: () => Promise.resolve(),
    };
    const redis = { duplicate: () => subscriber } as unknown as RedisConnection;
    const access = { reload: async () => undefined } as unknown as AccessPolicy;
    const presence = { everyone: async () => ['a'] } as unknown as GatewayPresence;
    const reload = new FleetReload(redis, createLogger('test', 'fatal'), access, presence);
    await expect(reload.run()).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
  });
});
