import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App } from '@forecourt/testing/system';
import { Redis } from 'ioredis';
import { call, reserved, sponsor } from '../support/application.js';
import { system } from '../support/systems/usual-system.js';

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

/** A connection to Redis with the credentials of a compromised service. */
const as = (app: App) => connect(system.services(app)[0]!.options.env['REDIS_URL']!);
const poolKey = (name: string) => `fc:{${system.sponsor}}:${name}`;
/** Redis refuses the command for lack of permission, not for another reason. */
const isRefused = (question: Promise<unknown>) =>
  expect(question).rejects.toThrow(/^NOPERM|^ERR The user executing the script can't access/);

describe('Redis', () => {
  it('refuses none of the commands that services need to sponsor transactions', async () => {
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
    // Since the start of the system, not only during these calls.
    expect(await operator.acl('LOG')).toEqual([]);
  });

  it('refuses clients without a password or with a wrong one', async () => {
    const { host } = new URL(system.redisUrl);
    await expect(connect(`redis://${host}`).get('anything')).rejects.toThrow('NOAUTH');
    for (const user of ['gateway', 'default', 'operator']) {
      const question = connect(`redis://${user}:wrong-password@${host}`).get('anything');
      await expect(question).rejects.toThrow(/WRONGPASS|NOAUTH/);
    }
    const probe = connect(`redis://probe:any@${host}`);
    expect(await probe.ping()).toBe('PONG');
    await isRefused(probe.info());
  });
});

describe('a compromised gateway', () => {
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

  it('can neither subscribe nor publish to channels of other services', async () => {
    const gateway = as('gateway');
    await isRefused(gateway.psubscribe('*'));
    await isRefused(gateway.publish('anything', 'at all'));
  });
});

describe.each(['gateway', 'coin-pool', 'executor'] as const)(
  'an attacker with the password of %s',
  (app) => {
    it('can neither list the keys, nor change the server or its users', async () => {
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

describe('a compromised executor', () => {
  it('cannot access the keys of gateways', async () => {
    const executor = as('executor');
    await isRefused(executor.zadd('fc:gateways', 1, 'a gateway that does not exist'));
    await isRefused(executor.publish('fc:reload-access-rules', '{}'));
    await isRefused(executor.set('fc:rate:a', '0'));
  });
});
