import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { buildSponsored, executeTx, reserved, sponsor } from '../support/application.js';
import { as, LIMITED } from './busy-system.js';
import { useConsole } from './use-console.js';

const SOON_MS = 5_000;

// As long as in production: an outage must not wait for it.
const site = await useConsole({ LEDGER_STATUS_MAX_AGE_MS: '60000' });

/** Calls after each answer to the page, until the returned function is called; refusals are ignored. */
function keepCalling(page: Page): () => Promise<void> {
  let isOver = false;
  const calls = (async () => {
    while (!isOver) {
      await sponsor(as(site.system, 'shop')).catch(() => undefined);
      await page.waitForResponse(() => true);
    }
  })();
  return async () => {
    isOver = true;
    await calls;
  };
}

describe('the health on the overview', () => {
  it('names an outage of the ledger with cause and remedy within 5 s, and is well again within 5 s', async () => {
    const { page } = await site.enter('ops');
    const health = page.getByRole('region', { name: 'Health' });
    const outage = health
      .getByRole('listitem')
      .filter({ hasText: 'The ledger’s state is unknown' });
    await health.getByText('Something is paused').waitFor();
    const shop = as(site.system, 'shop');
    const reservation = await reserved(shop);
    const transaction = await buildSponsored(shop, reservation);
    const stop = keepCalling(page);
    try {
      await site.system.control.fault({ kind: 'down' });
      const failedAt = Date.now();
      await outage.waitFor();
      expect(Date.now() - failedAt).toBeLessThan(SOON_MS);
      expect(await outage.innerText()).toMatch(/did not respond[\s\S]*Check the node/);
      expect((await executeTx(shop, reservation, transaction)).status).toBe(503);
      await site.system.control.clearFaults();
      const backAt = Date.now();
      await outage.waitFor({ state: 'detached' });
      await health.getByText('Callers are refused').first().waitFor({ state: 'detached' });
      expect(Date.now() - backAt).toBeLessThan(SOON_MS);
    } finally {
      await stop();
    }
  });

  it('lists every finding, each with its page', async () => {
    const { page } = await site.enter('ops');
    const health = page.getByRole('region', { name: 'Health' });
    const linkOf = (title: string) =>
      health.getByRole('listitem').filter({ hasText: title }).getByRole('link').first();
    for (const [title, path] of [
      ['Something is paused', '/pool'],
      ['Coins are quarantined', '/pool'],
      ['A webhook fails', '/webhooks'],
      ['A budget is nearly used up', '/access'],
    ] as const) {
      expect([title, await linkOf(title).getAttribute('href')]).toEqual([title, `/console${path}`]);
    }
    await health.getByText(`83 % of a budget of ${LIMITED}`).waitFor();
    const webhook = health.getByRole('listitem').filter({ hasText: '/failing' });
    expect(await webhook.innerText()).toMatch(
      /of shop does not receive; [1-9]\d* deliver(y|ies) waits?/,
    );
  });
});
