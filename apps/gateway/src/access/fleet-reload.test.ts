import { afterEach, describe, expect, it } from '@jest/globals';
import { accessRulesReloadedChannel, RELOAD_ACCESS_RULES_CHANNEL } from '@forecourt/contracts';
import { createLogger } from '@forecourt/runtime/service';
import { partial, useRedis } from '@forecourt/testing/jest';
import { Redis } from 'ioredis';
import { FleetReload } from './fleet-reload.js';
import { GatewayPresence } from './gateway-presence.js';

const redis = useRedis((url) => new Redis(url));
const logger = createLogger('test', 'fatal');
const loaded = { reload: async () => undefined };

const stops: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
  await redis.flushall();
});

/** A gateway of the fleet; `mistake`: the mistake in its files. */
async function aGateway(name: string, mistake: string | null = null) {
  const connection = redis.duplicate();
  const presence = new GatewayPresence(connection, logger);
  Object.assign(presence, { name });
  let reloads = 0;
  const reload = async () => {
    reloads += 1;
    if (mistake !== null) throw new Error(mistake);
  };
  const fleet = new FleetReload(connection, logger, partial({ reload }), presence);
  await presence.onApplicationBootstrap();
  await fleet.onApplicationBootstrap();
  stops.push(async () => {
    fleet.onApplicationShutdown();
    await presence.onApplicationShutdown();
    connection.disconnect();
  });
  return { fleet, presence, reloads: () => reloads };
}

describe('reloading the access rules of a fleet', () => {
  it('is refused with STORE_UNREACHABLE while Redis is unreachable', async () => {
    const everyone = () => Promise.reject(new Error('connect ECONNREFUSED'));
    const fleet = new FleetReload(
      redis,
      logger,
      partial(loaded),
      partial({ name: 'one', everyone }),
    );
    stops.push(() => fleet.onApplicationShutdown());
    await expect(fleet.reload()).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
  });

  it('is refused with STORE_UNREACHABLE while the answers of other gateways cannot arrive', async () => {
    const presence = { name: 'one', everyone: async () => ['a'] };
    const fleet = new FleetReload(redis, logger, partial(loaded), partial(presence));
    fleet.onApplicationShutdown();
    await expect(fleet.reload()).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
  });

  it('resolves once every gateway has reloaded its files', async () => {
    const [one, two] = [await aGateway('one'), await aGateway('two')];
    await one.fleet.reload();
    expect(two.reloads()).toBe(1);
    expect(one.reloads()).toBeGreaterThan(0);
  });

  it('does not ask another gateway if a file of this gateway has a mistake', async () => {
    const [one, two] = [await aGateway('one', 'line 7: no action'), await aGateway('two')];
    await expect(one.fleet.reload()).rejects.toThrow('line 7: no action');
    expect(two.reloads()).toBe(0);
    expect(await one.fleet.reloadHere()).toBe('line 7: no action');
    expect(await two.fleet.reloadHere()).toBeNull();
  });

  it('ignores malformed messages', async () => {
    const one = await aGateway('one');
    await redis.publish(RELOAD_ACCESS_RULES_CHANNEL, 'no JSON');
    await redis.publish(accessRulesReloadedChannel('unasked'), '{}');
    await one.fleet.reload();
    expect(one.reloads()).toBe(2);
  });
});
