import { Redis } from 'ioredis';
import { describe, expect, it } from '@jest/globals';
import { buildSponsored, call, executeTx, reserved } from '../support/application.js';
import { as } from './busy-system.js';
import { useConsole } from './use-console.js';

const site = await useConsole();

const RETIRED = `0x${'4e'.repeat(32)}`;

async function actionsRecorded(): Promise<string[]> {
  const { body } = await call(as(site.system, 'audit'), 'GET', '/v1/actions');
  const { actions } = body.result as unknown as { actions: { action: string; scope: string }[] };
  return actions.map(({ action, scope }) => `${action} ${scope}`);
}

describe('what the console says about states', () => {
  it.each(['ops', 'racer'])(
    'of a quarantined sponsorship is the ledger’s reason, and advice that fits it, to %s',
    async (token) => {
      const visit = await site.enter(token, `/sponsorships/${site.ids.quarantined}`);
      await visit.page.getByRole('heading', { name: /^Quarantined: / }).waitFor();
      const outcome = visit.page.getByRole('region', { name: 'Outcome' });
      await outcome.getByText('equivocated until the next epoch').waitFor();
      expect(await outcome.innerText()).toContain('Build the transaction again in the next epoch.');
      const text = await visit.text();
      expect(text).toContain('Not executed so far');
      expect(text).not.toMatch(/Executed by the ledger|No node has shown/);
    },
  );

  it('of a refused sponsorship is that the ledger has refused it', async () => {
    const shop = as(site.system, 'shop');
    const reservation = await reserved(shop);
    const transaction = await buildSponsored(shop, reservation);
    await site.system.control.fault({ kind: 'refuse', preset: 'gas-price', times: 1 });
    expect((await executeTx(shop, reservation, transaction)).status).toBe(400);
    const visit = await site.enter('shop', `/sponsorships/${reservation.reservation_id}`);
    await visit.page.getByText('Refused by the ledger').waitFor();
    expect(await visit.text()).not.toContain('Executed by the ledger');
    expect(await visit.text()).toContain('with the reference gas price');
  });

  it('of a token is whether it is paused or expired, with the action that ends a pause', async () => {
    const { page } = await site.enter('ops', '/access');
    const rowOf = (name: string) =>
      page.getByRole('group', { name: 'Tokens' }).getByRole('row').filter({ hasText: name });
    await rowOf('former').getByText('expired', { exact: true }).waitFor();
    await rowOf('shop').getByText('valid', { exact: true }).waitFor();
    const game = rowOf('game');
    await game.getByText('paused', { exact: true }).waitFor();
    expect(await game.getByRole('button').count()).toBe(1);
    await game.getByRole('button', { name: 'Resume token game' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
    await game.getByText('valid', { exact: true }).waitFor();
    await game.getByRole('button', { name: 'Pause token game' }).waitFor();
  });

  it('of limits is what is used and left, to a sponsor of one token alone', async () => {
    const visit = await site.enter('shop', '/limits');
    const budget = { name: 'gas <= 500 IOTA in 1 day' };
    const meter = visit.page.getByRole('meter', budget);
    await meter.waitFor();
    const item = visit.page.getByRole('listitem').filter({ has: meter });
    expect(await item.innerText()).toMatch(/[\d.]+ IOTA used, 499[\d.]* IOTA left, resets/);
    await visit.page.getByText('requests <= 10000 in 1 second').waitFor();
    expect(await visit.text()).not.toMatch(/game|racer|5000 coins/);
    const { page } = await site.enter('audit', '/access');
    const row = page
      .getByRole('group', { name: 'Tokens' })
      .getByRole('row')
      .filter({ hasText: 'shop' });
    await row.getByRole('meter', budget).waitFor();
    await row.getByText(new Date().toISOString().slice(0, 10)).waitFor();
  });

  it('of a sponsor is true: too little observed, draining before drained, and nothing to do without key and coins', async () => {
    const redis = new Redis(site.system.redisUrl);
    await redis.hset('fc:sponsors', RETIRED, 63);
    await redis.quit();
    const visit = await site.enter('ops', '/pool');
    const { page } = visit;
    const retired = page.getByRole('region', { name: 'Retired sponsors' });
    await retired.waitFor();
    expect(await retired.innerText()).not.toMatch(/Gas runs out|Drain|Pause/);
    await call(as(site.system, 'ops'), 'POST', '/v1/drain', {
      sponsor_address: site.system.sponsor,
      reason: 'rotation',
    });
    await visit.go('/');
    const sponsors = page.getByRole('region', { name: 'Sponsors', exact: true });
    // Quarantined coins are open work.
    await sponsors.getByText('draining', { exact: true }).waitFor();
    await page
      .getByRole('region', { name: 'Health' })
      .getByText('Every sponsor is draining')
      .waitFor();
    await call(as(site.system, 'ops'), 'POST', '/v1/undrain', {
      sponsor_address: site.system.sponsor,
    });
    await sponsors.getByText('draining', { exact: true }).waitFor({ state: 'detached' });
    expect(await sponsors.innerText()).not.toMatch(/Gas runs out: (not in sight|\d)/);
  });

  it('of operators’ actions are only those that did something', async () => {
    const ops = as(site.system, 'ops');
    const before = await actionsRecorded();
    const nobody = { sponsor_address: '0x12', reason: 'a test' };
    expect((await call(ops, 'POST', '/v1/reconcile', nobody)).status).toBe(400);
    expect((await call(ops, 'POST', '/v1/resume', { token: 'audit' })).status).toBe(200);
    expect((await call(ops, 'POST', '/v1/pause', nobody)).status).toBe(400);
    const unknown = await call(ops, 'POST', '/v1/pause', { token: 'shpo', reason: 'a test' });
    expect([unknown.status, unknown.body.error]).toEqual([
      400,
      expect.stringContaining('No gateway has a token shpo: name an entry of TOKENS_FILE'),
    ]);
    expect(await actionsRecorded()).toEqual(before);
    const { page } = await site.enter('ops', '/pool');
    const trail = page.getByRole('region', { name: 'Actions of operators' });
    await trail.getByRole('row').nth(1).waitFor();
    expect(await trail.innerText()).not.toMatch(/0x0*12\b|token audit/);
  });
});
