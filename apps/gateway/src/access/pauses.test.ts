import { afterEach, describe, expect, it } from '@jest/globals';
import type { ForecourtError } from '@forecourt/contracts';
import { partial, useRedis } from '@forecourt/testing/jest';
import { waitUntil } from '@forecourt/testing/redis';
import { Redis } from 'ioredis';
import type { OperatorActions } from './operator-actions.js';
import { PauseOrders } from './pause-orders.js';
import { Pauses } from './pauses.js';
import {
  EVERYTHING,
  readScope,
  scopeOfForecasts,
  scopeOfSponsor,
  scopeOfToken,
} from './pause-scopes.js';

const redis = useRedis((url) => new Redis(url));
const SPONSOR = `0x${'5'.repeat(64)}`;

const running: Pauses[] = [];
const opened: Redis[] = [];
afterEach(async () => {
  for (const gateway of running.splice(0)) gateway.onApplicationShutdown();
  for (const connection of opened.splice(0)) connection.disconnect();
  await redis.flushall();
});

/** A gateway with a separate connection; `start` makes it read the pauses. */
function aGateway() {
  const warnings: string[] = [];
  const recorded: unknown[] = [];
  const connection = redis.duplicate({ maxRetriesPerRequest: 0, retryStrategy: () => null });
  connection.on('error', () => undefined);
  opened.push(connection);
  const pauses = new Pauses(
    connection,
    partial({ warn: (_fields: unknown, text?: string) => void warnings.push(text ?? '') }),
  );
  const record = async (action: unknown) => void recorded.push(action);
  const orders = new PauseOrders(connection, pauses, { record } as OperatorActions);
  running.push(pauses);
  const isRunning = (token: string, sponsor?: string) => {
    try {
      pauses.requireRunning({ token, ...(sponsor !== undefined && { sponsor }) });
      return true;
    } catch (error) {
      return (error as ForecourtError).code;
    }
  };
  return { pauses, orders, connection, warnings, recorded, isRunning };
}

describe('a pause', () => {
  it('refuses all work until the pauses have been read once', async () => {
    const { pauses, isRunning } = aGateway();
    expect(isRunning('shop')).toBe('STORE_UNREACHABLE');
    await pauses.onApplicationBootstrap();
    expect(isRunning('shop')).toBe(true);
  });

  it('of everything applies to all callers, with the operator’s reason, until it is resumed', async () => {
    const { pauses, orders, recorded, isRunning } = aGateway();
    await pauses.onApplicationBootstrap();
    await orders.pause(EVERYTHING, 'maintenance', 'root');
    expect(isRunning('shop')).toBe('PAUSED');
    const scope = { scope: EVERYTHING, reason: 'maintenance', by: 'root' };
    expect(await orders.list()).toEqual([{ ...scope, since: expect.any(Number) }]);
    const refused = () => pauses.requireRunning({ token: 'shop' });
    expect(refused).toThrow(
      expect.objectContaining({
        retryAfterSecs: 30,
        message: expect.stringContaining('maintenance'),
      }),
    );
    await orders.resume(EVERYTHING, 'root');
    expect([isRunning('shop'), await orders.list()]).toEqual([true, []]);
    expect(recorded).toEqual([
      { operator: 'root', action: 'pause', scope: EVERYTHING, reason: 'maintenance' },
      { operator: 'root', action: 'resume', scope: EVERYTHING, reason: '' },
    ]);
  });

  it('of a token or a sponsor applies to that one only', async () => {
    const { pauses, orders, isRunning } = aGateway();
    await pauses.onApplicationBootstrap();
    await orders.pause(scopeOfToken('shop'), 'abuse', 'root');
    await orders.pause(scopeOfSponsor(SPONSOR), 'empty', 'root');
    expect(isRunning('shop')).toBe('PAUSED');
    expect([isRunning('game'), isRunning('game', '0x6')]).toEqual([true, true]);
    expect(isRunning('game', SPONSOR)).toBe('PAUSED');
  });

  it('of a token’s forecasts leaves its other work alone, and ends with the resumption of the token', async () => {
    const { pauses, orders, recorded, isRunning } = aGateway();
    await pauses.onApplicationBootstrap();
    await orders.pause(scopeOfForecasts('shop'), 'missed', 'forecourt');
    expect(isRunning('shop')).toBe(true);
    expect(() => pauses.requireForecasts('shop')).toThrow(
      expect.objectContaining({ code: 'PAUSED', message: expect.stringContaining('missed') }),
    );
    pauses.requireForecasts('game');
    await orders.resume(readScope({ token: 'game' }), 'root');
    expect(() => pauses.requireForecasts('shop')).toThrow();
    await orders.resume(readScope({ token: 'shop' }), 'root');
    pauses.requireForecasts('shop');
    expect(recorded).toMatchObject([
      { action: 'pause' },
      { action: 'resume', scope: 'token shop' },
    ]);
  });

  it('reaches other gateways within a second, and stays in force while Redis does not answer', async () => {
    const [one, other] = [aGateway(), aGateway()];
    await one.pauses.onApplicationBootstrap();
    await other.pauses.onApplicationBootstrap();
    await one.orders.pause(EVERYTHING, 'maintenance', 'root');
    await waitUntil(async () => other.isRunning('shop') === 'PAUSED');
    other.connection.disconnect();
    await waitUntil(async () => other.warnings.length > 0);
    expect(other.isRunning('shop')).toBe('PAUSED');
    await expect(other.orders.list()).rejects.toMatchObject({ code: 'STORE_UNREACHABLE' });
    expect(other.warnings).toEqual(['pauses cannot be read; those read before stay in force']);
  });
});

describe('the scope of a pause', () => {
  it('is everything, a sponsor or a token, never both', () => {
    expect(readScope({})).toBe(EVERYTHING);
    expect(readScope({ token: 'shop' })).toBe(scopeOfToken('shop'));
    expect(readScope({ sponsor_address: SPONSOR.toUpperCase().replace('0X', '0x') })).toBe(
      scopeOfSponsor(SPONSOR),
    );
    const both = () => readScope({ token: 'shop', sponsor_address: SPONSOR });
    expect(both).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
  });
});
