import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { call, sponsor } from '../support/application.js';
import { as } from './busy-system.js';
import { useConsole } from './use-console.js';

const site = await useConsole();

interface Total {
  readonly transactions: number;
  readonly failed: number;
  readonly refused: number;
}

async function usageSince(ms: number): Promise<Total> {
  const path = `/v1/usage?from=${Date.now() - ms}`;
  const { body } = await call(as(site.system, 'ops'), 'GET', path);
  return (body.result as unknown as { total: Total }).total;
}

/** The figure of this name, as it is shown, and what it is compared with. */
async function figureOf(page: Page, name: string): Promise<string[]> {
  const figure = page.locator('dl > div').filter({ has: page.getByText(name, { exact: true }) });
  return (await figure.first().innerText()).split('\n').slice(1);
}

describe('the figures of the overview', () => {
  it('are those of the chosen time, compared with the time before', async () => {
    const visit = await site.enter('ops');
    const { page } = visit;
    const { transactions, failed, refused } = await usageSince(3_600_000);
    await page
      .getByText(/^nothing the hour before$/)
      .first()
      .waitFor();
    expect(await figureOf(page, 'Sponsored')).toEqual([
      String(transactions),
      'nothing the hour before',
    ]);
    expect((await figureOf(page, 'Refused requests'))[0]).toBe(String(refused));
    const rate = Math.floor(((transactions - failed) / transactions) * 1_000) / 10;
    expect((await figureOf(page, 'Success rate'))[0]).toBe(`${rate} %`);
    expect((await figureOf(page, 'Gas spent'))[0]).toMatch(/^0\.\d+ IOTA$/);
    expect((await figureOf(page, 'Took, median'))[0]).toMatch(/ m?s$/);
    expect((await figureOf(page, 'Took, 99th percentile'))[0]).toMatch(/ m?s$/);
    // The time before had half as many transactions.
    await page.route('**/v1/usage?**', async (route) => {
      const url = new URL(route.request().url());
      if (!url.searchParams.has('to')) return route.continue();
      const [from, to] = ['from', 'to'].map((name) => Number(url.searchParams.get(name)));
      expect(Date.now() - to! - 30 * 86_400_000).toBeLessThan(60_000);
      expect(to! - from!).toBeGreaterThan(29 * 86_400_000 - 1);
      const total = { transactions: transactions / 2, failed: 0, refused, gas: '0' };
      const report = { from, to, group_by: [], rows: [], total, corrections: [] };
      await route.fulfill({ json: { result: report } });
    });
    await visit.go('/?period=month');
    await page.getByText('+100 % on the month before').waitFor();
    const overview = page.getByRole('link', { name: 'Overview' });
    expect(await overview.getAttribute('data-status')).toBe('active');
    expect((await figureOf(page, 'Refused requests'))[1]).toBe('as the month before');
    expect((await figureOf(page, 'Success rate'))[1]).toMatch(
      /^−\d+(\.\d)? points on the month before$/,
    );
    for (const name of ['Refusals by reason', 'Newest sponsorships']) {
      await page.getByRole('region', { name }).getByText('last 30 days').waitFor();
    }
  });

  it('count refusals by reason on the server, and lead to their list', async () => {
    const { page } = await site.enter('ops', '/?period=day');
    const codes = page.getByRole('region', { name: 'Refusals by reason' });
    const path = `/v1/usage?from=${Date.now() - 86_400_000}&group_by=code`;
    const { body } = await call(as(site.system, 'ops'), 'GET', path);
    const { rows, total } = body.result as unknown as {
      rows: readonly { code: string; refused: number }[];
      total: Total;
    };
    expect(rows.reduce((sum, { refused }) => sum + refused, 0)).toBe(total.refused);
    for (const { code, refused } of rows) {
      await codes.getByRole('link').filter({ hasText: code }).getByText(String(refused)).waitFor();
    }
    await codes.getByRole('link').filter({ hasText: 'GAS_BUDGET_ABOVE_RESERVED' }).click();
    await page.getByRole('heading', { name: 'Refusals', level: 1 }).waitFor();
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({
      code: 'GAS_BUDGET_ABOVE_RESERVED',
      period: 'day',
    });
  });

  it('of a sponsor are its own', async () => {
    const { page } = await site.enter('game', '/?period=day');
    const codes = page.getByRole('region', { name: 'Refusals by reason' });
    await codes.getByText('Nothing was refused').waitFor();
    await site.system.until(async () => {
      const before = (await figureOf(page, 'Refused requests'))[0];
      return before === '0';
    });
    // The token is paused.
    await sponsor(as(site.system, 'game')).catch(() => undefined);
    await codes.getByText('PAUSED', { exact: true }).waitFor();
  });
});

describe('amounts and sponsors', () => {
  it('have one currency, which numbers of gas coins are not', async () => {
    const visit = await site.enter('ops');
    const { page } = visit;
    const sponsors = page.getByRole('region', { name: 'Sponsors', exact: true });
    await sponsors
      .getByText(/^in \d+ gas coins$/)
      .first()
      .waitFor();
    for (const path of ['/', '/pool', '/usage?period=day', `/sponsorships/${site.ids.failed}`]) {
      await visit.go(path);
      await visit.settled();
      const text = await visit.text();
      expect(text).toMatch(/\d IOTA\b/);
      expect(text).not.toMatch(/\d\s+coins\b/);
    }
  });

  it('explain states on hover and focus, and hide those without coins', async () => {
    const { page } = await site.enter('audit', '/pool');
    const panel = page.getByRole('region').filter({ hasText: 'Balance' }).first();
    const available = panel.locator('[aria-describedby]').filter({ hasText: /^Available/ });
    await available.waitFor();
    // No coin is in maintenance or dust.
    expect(await panel.innerText()).not.toMatch(/\b0 gas coins|Dust/);
    const explanation = page.getByRole('tooltip').filter({ hasText: 'the next reservation' });
    expect(await explanation.count()).toBe(0);
    await available.hover();
    await explanation.waitFor();
    await page.mouse.move(0, 0);
    await explanation.waitFor({ state: 'hidden' });
    await available.focus();
    await explanation.waitFor();
    await page.keyboard.press('Escape');
    await explanation.waitFor({ state: 'hidden' });
  });

  it('say when the epoch ends', async () => {
    const visit = await site.enter('audit', '/pool');
    const { page } = visit;
    const ends = /epoch \d+ ends .*\d\d:\d\d, in \d+ h/;
    await page.getByText(ends).waitFor();
    await page
      .getByText(/^ends at the latest .*\d\d:\d\d, in \d+ h/)
      .first()
      .waitFor();
    await visit.go('/');
    const health = page.getByRole('region', { name: 'Health' });
    await health.getByText(/return at the latest .*\d\d:\d\d, in \d+ h/).waitFor();
  });
});

describe('the words of the console', () => {
  it('are explained in the console', async () => {
    const visit = await site.enter('shop');
    const { page } = visit;
    await page.getByRole('link', { name: 'Help', exact: true }).click();
    await page.getByRole('heading', { name: 'Help', level: 1 }).waitFor();
    expect(await page.getByRole('term').allInnerTexts()).toHaveLength(10);
    expect(await visit.findViolations()).toEqual([]);
    await visit.go('/webhooks');
    await page.getByRole('link', { name: 'What the words mean' }).click();
    await page.getByText('It is not a coin and has no price.').waitFor();
  });
});
