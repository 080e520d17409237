import { describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { call, sponsor } from '../support/application.js';
import { as, NEWCOMER } from './busy-system.js';
import { useConsole } from './use-console.js';

const site = await useConsole();

/** Parts of cells that the cell cuts without an ellipsis. */
const CUT = `[...document.querySelectorAll('[role=cell]')]
  .filter((cell) => [...cell.querySelectorAll('*')].some((part) =>
    part.getBoundingClientRect().right > cell.getBoundingClientRect().right + 1
    && getComputedStyle(part.parentElement).textOverflow !== 'ellipsis'))
  .map((cell) => cell.textContent)`;

describe('the lists of the console', () => {
  it('cut long codes with an ellipsis, and open by keyboard', async () => {
    const screen = { width: 800, height: 900 };
    const { page } = await site.enter('ops', '/refusals', screen);
    expect(await page.evaluate<string[]>(CUT)).toEqual([]);
    await page.getByRole('row').nth(1).getByRole('link').focus();
    await page.keyboard.press('Enter');
    await page.getByText(/, status \d+/).waitFor();
    await page.goBack();
    await page.getByRole('row').nth(1).waitFor();
  });

  it('of refusals are filtered by the codes and tokens that exist, below their number over time', async () => {
    const visit = await site.enter('ops', '/refusals');
    const { page } = visit;
    await page
      .getByRole('img', { name: /^Refused: [1-9]\d*, at most [1-9]\d* in a day$/ })
      .waitFor();
    await page.getByLabel('Token', { exact: true }).selectOption('racer');
    await page.getByRole('row').getByText('QUARANTINE_LIMIT', { exact: true }).waitFor();
    await page.getByLabel('Error code').selectOption('GAS_BUDGET_ABOVE_RESERVED');
    await page.getByText('No refusal matches').waitFor();
    await page.getByLabel('Token', { exact: true }).selectOption('shop');
    await page.getByRole('row').getByText('GAS_BUDGET_ABOVE_RESERVED', { exact: true }).waitFor();
    await visit.settled();
    expect(page.url()).toContain('code=GAS_BUDGET_ABOVE_RESERVED');
  });

  it('of sponsorships are filtered by the states that they show, by token and by sponsor', async () => {
    const { page } = await site.enter('ops', '/sponsorships');
    const state = page.getByLabel('State', { exact: true });
    const loadedStatus = page.getByRole('status').getByText('1 loaded');
    await state.selectOption('Failed');
    await loadedStatus.waitFor();
    await page.getByRole('row').getByText('Failed', { exact: true }).waitFor();
    await page.getByLabel('Token', { exact: true }).selectOption('game');
    await page.getByText('No sponsorship matches').waitFor();
    await page.getByLabel('Token', { exact: true }).selectOption('racer');
    await state.selectOption('Quarantined');
    await page.getByRole('status').getByText('2 loaded').waitFor();
    await page.getByRole('status').getByText('2 sponsorships', { exact: true }).waitFor();
    await page.getByLabel('Sponsor', { exact: true }).selectOption({ index: 1 });
    await page.getByRole('status').getByText('2 loaded').waitFor();
    expect(new URL(page.url()).searchParams.get('sponsor')).toBe(site.system.sponsor);
  });

  it('of sponsorships count new ones above the rows, which stay, until they are asked for', async () => {
    const visit = await site.enter('ops', '/sponsorships');
    const { page } = visit;
    await page.getByRole('row').nth(1).waitFor();
    const first = () => page.getByRole('row').nth(1).getByRole('link').getAttribute('href');
    const before = await first();
    const total = page.getByRole('status').getByText(/^\d+ sponsorships$/);
    const counted = Number.parseInt((await total.textContent())!, 10);
    const { reservation } = await sponsor(as(site.system, 'shop'));
    const button = page.getByRole('button', { name: '1 new' });
    await button.waitFor();
    expect(await first()).toBe(before);
    await button.focus();
    await page.keyboard.press('Enter');
    await button.waitFor({ state: 'detached' });
    await page.locator(`a[href$="/${reservation.reservation_id}"]`).waitFor();
    await page.getByText(`${counted + 1} sponsorships`, { exact: true }).waitFor();
  });

  it('of sponsorships begin with the oldest, when the header of the time is chosen', async () => {
    const visit = await site.enter('ops', '/sponsorships');
    const { page } = visit;
    const first = () => page.getByRole('row').nth(1).getByRole('link').getAttribute('href');
    await page.getByRole('row').nth(1).waitFor();
    const newest = await first();
    const time = page.getByRole('columnheader', { name: 'Time' });
    expect(await time.getAttribute('aria-sort')).toBe('descending');
    await time.getByRole('button').focus();
    await page.keyboard.press('Enter');
    await page.locator('[role=columnheader][aria-sort=ascending]').waitFor();
    await page.getByText(/^\d+ loaded$/).waitFor();
    const path = '/v1/sponsorships?limit=1&order=oldest';
    const { body } = await call(as(site.system, 'ops'), 'GET', path);
    const { data } = body.result as unknown as { data: { reservation_id: number }[] };
    await page.locator(`[aria-rowindex="2"] a[href$="/${data[0]!.reservation_id}"]`).waitFor();
    expect(new URL(page.url()).searchParams.get('order')).toBe('oldest');
    await time.getByRole('button').click();
    await page.locator(`[aria-rowindex="2"] a[href="${newest}"]`).waitFor();
  });

  it('name the rule and the token of a limit of requests', async () => {
    const shop = as(site.system, 'shop');
    expect((await sponsor(shop, { user: NEWCOMER })).answer.status).toBe(200);
    const { answer } = await sponsor(shop, { user: NEWCOMER });
    expect([answer.status, answer.headers.get('error-code')]).toEqual([429, 'REQUEST_LIMIT']);
    expect(answer.body.error).toContain('requests > 1 in 1 day by rule newcomers');
    const { page } = await site.enter('ops', '/refusals?code=REQUEST_LIMIT');
    await page.getByRole('link', { name: 'Limit of requests reached.' }).click();
    const request = page.getByRole('region', { name: 'Request' });
    await request.getByText('newcomers', { exact: true }).waitFor();
    await request.getByText('shop', { exact: true }).waitFor();
  });

  it('do not promise an attempt in the past', async () => {
    const visit = await site.enter('shop');
    const { page } = visit;
    await page.clock.setFixedTime(Date.now() + 10 * 86_400_000);
    await visit.go('/webhooks');
    await visit.settled();
    await page.getByRole('button', { name: 'Waiting', exact: true }).click();
    const delivery = page.locator('details').filter({ hasText: '/failing' }).first();
    await delivery.locator('summary').click();
    await delivery.getByText('The next attempt is due.').waitFor();
  });

  it('have sponsors in one order', async () => {
    const redis = new Redis(site.system.redisUrl);
    const retired = ['01', 'fe', '9a', '33'].map((byte) => `0x${byte.repeat(32)}`);
    await redis.hset(
      'fc:sponsors',
      Object.fromEntries(retired.map((one, index) => [one, 60 + index])),
    );
    await redis.quit();
    const visit = await site.enter('ops', '/pool');
    const { page } = visit;
    // Those in use stand above the retired ones.
    const inOrder = [site.system.sponsor, ...retired.toSorted()];
    const orderOn = async (path: string) => {
      await visit.go(path);
      await page.getByRole('button', { name: `Copy ${retired[0]}` }).waitFor();
      const names = await page.getByRole('button', { name: /^Copy 0x/ }).all();
      const labels = await Promise.all(names.map((one) => one.getAttribute('aria-label')));
      return labels.map((label) => label!.slice(5)).filter((one) => inOrder.includes(one));
    };
    expect(await orderOn('/pool')).toEqual(inOrder);
    expect(await orderOn('/')).toEqual(inOrder);
  });
});
