import { beforeAll, describe, expect, it } from '@jest/globals';
import { buildSponsored, executeTx, reserved } from '../support/application.js';
import {
  bothServe,
  CLIENTS,
  codeOf,
  drain,
  first,
  post,
  reserveFrom,
  second,
  sponsorOf,
  startSponsoring,
  statusOf,
  system,
  undrain,
  untilState,
} from '../support/systems/sponsors-system.js';

describe('a sponsor that is drained under load', () => {
  beforeAll(bothServe);

  it('gives no more reservations; other sponsors take over, no request is lost, and open work is finished', async () => {
    const open = await reserved(system.application, 10_000_000, 60);
    expect(open.sponsor_address).toBe(first.address);
    const load = startSponsoring();
    const more = async (count: number) => {
      const target = load.seen.sponsors.length + count;
      await system.until(
        async () => load.seen.sponsors.length >= target || load.seen.failures.length > 0,
      );
    };
    await more(2 * CLIENTS);
    const answer = await drain(first.address);
    expect(answer.status).toBe(200);
    for (const application of system.applications) {
      const refused = await reserveFrom(first.address, application);
      expect([...codeOf(refused), refused.body.error]).toEqual([
        503,
        'SPONSOR_DRAINED',
        'The sponsor is drained: key rotation',
      ]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(sponsorOf(await reserveFrom(undefined, application))).toBe(second.address);
    }
    await more(2 * CLIENTS);
    expect(await statusOf(first.address)).toMatchObject({
      state: 'draining',
      drain: { reason: 'key rotation', by: 'default', since: expect.any(Number) },
    });
    const transaction = await buildSponsored(system.application, open);
    expect((await executeTx(system.application, open, transaction)).status).toBe(200);
    const { failures, sponsors } = await load.stop();
    expect(failures).toEqual([]);
    expect(new Set(sponsors)).toEqual(new Set([first.address, second.address]));
    await untilState(first.address, 'drained');
    expect(await system.differences()).toEqual([]);
  });

  it('stays drained after a restart of every service', async () => {
    for (const app of ['coin-pool', 'executor', 'gateway'] as const) await system.restart(app);
    expect(codeOf(await reserveFrom(first.address))).toEqual([503, 'SPONSOR_DRAINED']);
    expect((await statusOf(first.address)).state).toBe('drained');
  });

  it('makes callers wait if it is the last sponsor, and serves at once when undrained', async () => {
    await drain(second.address);
    const refused = await reserveFrom();
    expect(codeOf(refused)).toEqual([503, 'SPONSOR_DRAINED']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const health = await post('/debug_health_check', {});
    expect(codeOf(health)).toEqual([503, 'SPONSOR_DRAINED']);
    expect((await undrain(second.address)).status).toBe(200);
    expect(sponsorOf(await reserveFrom())).toBe(second.address);
  });
});
