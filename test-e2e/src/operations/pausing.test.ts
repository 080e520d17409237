import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Redis } from 'ioredis';
import { describe, expect, it } from '@jest/globals';
import {
  buildSponsored,
  call,
  executeTx,
  reserved,
  reserveGas,
  sponsor,
} from '../support/application.js';
import { readClockProgram } from '../support/raw-transaction.js';
import { applicationOf } from '../support/tokens-file.js';
import { system } from '../support/systems/token-system.js';
import { buildTx, dryRunTx } from '../support/unpaid-transaction.js';

const as = (name: string, application = system.application) => applicationOf(name, application);
const admin = () => as('admin');
const pause = (body: object) => call(admin(), 'POST', '/v1/pause', { reason: 'audit', ...body });
const resume = (body: object = {}) => call(admin(), 'POST', '/v1/resume', body);

/** Each gateway's answer to a reservation of a caller, after all gateways know of a change. */
async function answersOf(name: string) {
  const answers = [];
  for (const application of system.applications) {
    const caller = as(name, application);
    const answer = await reserveGas(caller, 1_000_000, 1);
    answers.push(answer);
    const { reservation_id } = (answer.body.result ?? {}) as { reservation_id?: number };
    if (reservation_id) await call(caller, 'POST', '/v1/release_gas', { reservation_id });
  }
  return answers;
}
const untilPaused = (name: string, isPaused: boolean) =>
  system.until(
    async () =>
      (await answersOf(name)).every(
        ({ headers }) => (headers.get('error-code') === 'PAUSED') === isPaused,
      ),
    1_500,
  );

describe('a pause', () => {
  it('takes effect at every gateway within a second, and tells callers the reason and when to retry', async () => {
    const answer = await pause({ reason: 'moving funds' });
    expect(answer.body.result).toEqual({
      paused: [
        { scope: 'everything', reason: 'moving funds', by: 'admin', since: expect.any(Number) },
      ],
      warnings: [],
    });
    await untilPaused('shop', true);
    const [refused] = await answersOf('shop');
    expect([refused!.body.error, refused!.headers.get('error-code')]).toEqual([
      'Sponsoring is paused: moving funds',
      'PAUSED',
    ]);
    expect(Number(refused!.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await resume()).body.result).toEqual({ paused: [], warnings: [] });
    await untilPaused('shop', false);
  });

  it('does not affect other tokens if it is for one token', async () => {
    await pause({ token: 'poor' });
    await untilPaused('poor', true);
    expect((await reserveGas(as('shop'), 1_000_000, 1)).status).toBe(200);
    await resume({ token: 'poor' });
    await untilPaused('poor', false);
  });

  it('of a token ends its dry runs and its building, which cost a node as much as executions', async () => {
    await pause({ token: 'curious' });
    await untilPaused('curious', true);
    const tried = await Promise.all(
      [dryRunTx, buildTx].map((send) =>
        send(as('curious'), new Ed25519Keypair(), readClockProgram()),
      ),
    );
    expect(tried.map(({ status, headers }) => [status, headers.get('error-code')])).toEqual([
      [503, 'PAUSED'],
      [503, 'PAUSED'],
    ]);
    await resume({ token: 'curious' });
    await untilPaused('curious', false);
  });

  it('of a sponsor binds none of its coins', async () => {
    await pause({ sponsor_address: system.sponsor });
    await untilPaused('shop', true);
    const before = await system.totals();
    const refused = await reserveGas(as('shop'), 1_000_000, 60);
    expect(refused.headers.get('error-code')).toBe('PAUSED');
    const { coins } = await system.totals();
    expect(coins.reserved <= before.coins.reserved).toBe(true);
    await resume({ sponsor_address: system.sponsor });
    await untilPaused('shop', false);
  });

  it('survives a gateway’s restart, blocks unused reservations, and still answers repeated calls', async () => {
    const shop = as('shop');
    const done = await sponsor(shop);
    const reservation = await reserved(shop);
    const transaction = await buildSponsored(shop, reservation);
    await pause({});
    await system.restart('gateway');
    const late = await executeTx(shop, reservation, transaction);
    expect([late.status, late.headers.get('error-code')]).toEqual([503, 'PAUSED']);
    expect(await system.control.submissionsOf(transaction.digest)).toBe(0);
    const again = await executeTx(shop, done.reservation, done.transaction);
    expect([again.status, again.body]).toEqual([200, done.answer.body]);
    await resume();
    await system.until(
      async () => (await executeTx(shop, reservation, transaction)).status === 200,
    );
  });

  it('is available to operators only, and is recorded', async () => {
    const answer = await call(as('shop'), 'POST', '/v1/pause', { reason: 'mine' });
    expect([answer.status, answer.body.error]).toEqual([403, 'Token lacks the role operator']);
    const both = { token: 'shop', sponsor_address: system.sponsor };
    for (const wrong of [{ reason: '' }, { reason: 7 }, { token: 'a b' }, both]) {
      expect((await pause(wrong)).headers.get('error-code')).toBe('INVALID_REQUEST');
    }
    const unknown = await pause({ token: 'nobody', reason: 'a test' });
    expect([unknown.status, unknown.body.error]).toEqual([
      400,
      expect.stringContaining('No gateway has a token nobody'),
    ]);
    await pause({ token: 'poor', reason: 'a test' });
    await resume({ token: 'poor' });
    const redis = new Redis(system.redisUrl);
    const newest = await redis.xrevrange('fc:operator-actions', '+', '-', 'COUNT', 2);
    redis.disconnect();
    expect(newest.map(([, fields]) => fields)).toEqual([
      ['operator', 'admin', 'action', 'resume', 'scope', 'token poor', 'reason', ''],
      ['operator', 'admin', 'action', 'pause', 'scope', 'token poor', 'reason', 'a test'],
    ]);
  });
});
