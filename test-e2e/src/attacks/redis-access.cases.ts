import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App } from '@forecourt/testing/system';
import { Redis } from 'ioredis';
import { call, reserved, sponsor } from '../application.js';
import { system } from '../usual-system.js';

let operator: Redis;
const opened: Redis[] = [];
beforeAll(() => {
  operator = connect(system.redisUrl);
});
afterAll(() => {
  for (const redis of opened) redis.disconnect();
});

function connect(url: string): Redis {
  const redis = new Redis(url, { retryStrategy: () => null, enableReadyCheck: false });
  redis.on('error', () => undefined);
  opened.push(redis);
  return redis;
}

/** Redis as whoever has taken over one of the services. */
const as = (app: App) => connect(system.services(app)[0]!.options.env['REDIS_URL']!);
const poolKey = (name: string) => `fc:{${system.sponsor}}:${name}`;
/** What was asked for is refused, and not for some other reason. */
const isRefused = (asked: Promise<unknown>) =>
  expect(asked).rejects.toThrow(/^NOPERM|^ERR The user executing the script can't access/);

describe('Redis', () => {
  it('refuses nothing that the services do while transactions are sponsored', async () => {
    const { answer, transaction } = await sponsor(system.application);
    expect([answer.status, answer.body.effects?.status]).toEqual([200, { status: 'success' }]);
    const reload = await call(system.application, 'GET', '/v1/reload_access_controller');
    const health = await call(system.application, 'POST', '/debug_health_check');
    const fleet = await call(system.application, 'GET', '/v1/fleet');
    const path = `/v1/explain?digest=${transaction.digest}`;
    const explained = await call(system.application, 'GET', path);
    const statuses = [reload, health, fleet, explained].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200, 200]);
    const [gateway] = system.services('gateway');
    expect((await system.audit()).exitCode).toBe(0);
    expect(gateway!.options.env['REDIS_URL']).not.toBe(system.redisUrl);
    // Since the start, not only of these calls.
    expect(await operator.acl('LOG')).toEqual([]);
  });

  it('answers nobody who gives no password, or a wrong one', async () => {
    const { host } = new URL(system.redisUrl);
    await expect(connect(`redis://${host}`).get('anything')).rejects.toThrow('NOAUTH');
    for (const user of ['gateway', 'default', 'operator']) {
      const asked = connect(`redis://${user}:wrong-password@${host}`).get('anything');
      await expect(asked).rejects.toThrow(/WRONGPASS|NOAUTH/);
    }
    const probe = connect(`redis://probe:any@${host}`);
    expect(await probe.ping()).toBe('PONG');
    await isRefused(probe.info());
  });
});

describe('a gateway that was taken over', () => {
  it('can neither read nor change coins and reservations', async () => {
    const gateway = as('gateway');
    const reservation = await reserved(system.application);
    const coins = await operator.keys(poolKey('available:*'));
    expect(coins).not.toEqual([]);
    const stolen = 'return redis.call("lpush", ARGV[1], ARGV[2])';
    await isRefused(gateway.lpush(coins[0]!, 'a coin that does not exist'));
    await isRefused(gateway.eval(stolen, 1, coins[0]!, coins[0]!, 'a coin'));
    await isRefused(gateway.eval(stolen, 1, 'fc:rate:a', coins[0]!, 'a coin'));
    await isRefused(gateway.get(poolKey(`reservation:${reservation.reservation_id}`)));
    await isRefused(gateway.hset(poolKey('totals'), 'funds', '0'));
    await isRefused(gateway.hgetall('fc:sponsors'));
  });

  it('can neither listen to nor speak on channels that are not its own', async () => {
    const gateway = as('gateway');
    await isRefused(gateway.psubscribe('*'));
    await isRefused(gateway.publish('anything', 'at all'));
  });
});

describe.each(['gateway', 'coin-pool', 'executor'] as const)(
  'whoever has the password of %s',
  (app) => {
    it('can neither look through the keys, nor change the server or its users', async () => {
      const redis = as(app);
      const commands = [
        ['keys', '*'],
        ['scan', '0'],
        ['randomkey'],
        ['flushall'],
        ['flushdb'],
        ['monitor'],
        ['config', 'set', 'dir', '/tmp'],
        ['acl', 'list'],
        ['acl', 'setuser', 'me', 'on'],
        ['shutdown', 'nosave'],
        ['save'],
        ['script', 'flush'],
        ['replicaof', '127.0.0.1', '1'],
        ['client', 'kill', 'type', 'normal'],
        ['client', 'list'],
        ['migrate', '127.0.0.1', '1', 'a', '0', '1'],
        ['module', 'list'],
        ['swapdb', '0', '1'],
        ['function', 'flush'],
        ['set', 'some-other-key', '1'],
        ['get', 'some-other-key'],
      ];
      for (const [command, ...args] of commands) {
        await isRefused(redis.call(command!, ...args));
      }
    });
  },
);

describe('an executor that was taken over', () => {
  it('cannot reach what belongs to gateways', async () => {
    const executor = as('executor');
    await isRefused(executor.zadd('fc:gateways', 1, 'a gateway that does not exist'));
    await isRefused(executor.publish('fc:reload-access-rules', '{}'));
    await isRefused(executor.set('fc:rate:a', '0'));
  });
});
