import { Redis } from 'ioredis';
import { describe, expect, it } from '@jest/globals';
import { sponsor } from '../support/application.js';
import { as, NEWCOMER } from './busy-system.js';
import { PHONE } from './console-browser.js';
import { useConsole } from './use-console.js';

const site = await useConsole();

/** Groups that have to be scrolled sideways, and cells in which a text is squeezed. */
const SQUEEZED = `[
  ...[...document.querySelectorAll('[role=group]')]
    .filter((one) => one.scrollWidth > one.clientWidth)
    .map((one) => one.getAttribute('aria-label') + ' is ' + one.scrollWidth + ' pixels wide'),
  ...[...document.querySelectorAll('[role=group] td > :first-child, [role=group] td:not(:has(*))')]
    .filter((one) => one.textContent.length > 24 && one.getBoundingClientRect().width < 150)
    .map((one) => 'squeezed: ' + one.textContent),
]`;
/** Parts of cells that the cell cuts without an ellipsis. */
const CUT = `[...document.querySelectorAll('[role=cell]')]
  .filter((cell) => [...cell.querySelectorAll('*')].some((part) =>
    part.getBoundingClientRect().right > cell.getBoundingClientRect().right + 1
    && getComputedStyle(part.parentElement).textOverflow !== 'ellipsis'))
  .map((cell) => cell.textContent)`;

describe('the console on a phone', () => {
  it('shows tables as cards, none of which is wider than the screen', async () => {
    const visit = await site.enter('ops', '/', PHONE);
    const found: string[] = [];
    for (const path of ['/', '/pool', '/access', '/webhooks', '/usage?period=day']) {
      await visit.go(path);
      await visit.settled();
      const squeezed = await visit.page.evaluate<string[]>(SQUEEZED);
      found.push(...squeezed.map((one) => `${path}: ${one}`));
    }
    expect(found).toEqual([]);
  });

  it('shows why and whose a refusal is, and all of it at a touch', async () => {
    const { page } = await site.enter('ops', '/refusals?code=GAS_BUDGET_ABOVE_RESERVED', PHONE);
    const row = page.getByRole('row').nth(1);
    await row.getByText('shop · GAS_BUDGET_ABOVE_RESERVED').waitFor();
    await row
      .getByRole('button', { name: 'The gas budget is larger than what is reserved.' })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText("The transaction's gas budget exceeds the reserved budget").waitFor();
    await dialog.getByText('POST /v1/execute_tx').waitFor();
  });
});

describe('the lists of the console', () => {
  it('cut long codes with an ellipsis, and open by keyboard', async () => {
    const screen = { width: 800, height: 900 };
    const { page } = await site.enter('ops', '/refusals', screen);
    expect(await page.evaluate<string[]>(CUT)).toEqual([]);
    await page.getByRole('row').nth(1).getByRole('button').focus();
    await page.keyboard.press('Enter');
    await page
      .getByRole('dialog')
      .getByText(/, status \d+/)
      .waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('name the rule and the token of a limit of requests', async () => {
    const shop = as(site.system, 'shop');
    expect((await sponsor(shop, { user: NEWCOMER })).answer.status).toBe(200);
    const { answer } = await sponsor(shop, { user: NEWCOMER });
    expect([answer.status, answer.headers.get('error-code')]).toEqual([429, 'REQUEST_LIMIT']);
    expect(answer.body.error).toContain('requests > 1 in 1 day by rule newcomers');
    const { page } = await site.enter('ops', '/refusals?code=REQUEST_LIMIT');
    await page
      .getByRole('button', { name: 'A limit on the number of requests is reached.' })
      .click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('newcomers', { exact: true }).waitFor();
    await dialog.getByText('shop', { exact: true }).waitFor();
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
    await redis.hset('fc:sponsors', Object.fromEntries(retired.map((one, at) => [one, 60 + at])));
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
