import { describe, expect, it } from '@jest/globals';
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
describe('the console on a phone', () => {
  it('shows tables as cards, none of which is wider than the screen', async () => {
    const visit = await site.enter('ops', '/', PHONE);
    const found: string[] = [];
    const one = `/sponsorships/${site.ids.failed}`;
    const lists = ['/sponsorships', one, '/refusals', '/events', '/limits'];
    for (const path of ['/', '/pool', '/access', '/webhooks', '/usage?period=day', ...lists]) {
      await visit.go(path);
      await visit.settled();
      const squeezed = await visit.page.evaluate<string[]>(SQUEEZED);
      found.push(...squeezed.map((one) => `${path}: ${one}`));
      const overflow = await visit.page.evaluate(
        'document.documentElement.scrollWidth - innerWidth',
      );
      if (Number(overflow) > 0) found.push(`${path} scrolls sideways`);
    }
    expect(found).toEqual([]);
  });

  it('copies identifiers without hovering, and breaks them', async () => {
    const { page } = await site.enter('ops', `/sponsorships/${site.ids.failed}`, PHONE);
    await page.getByRole('region', { name: 'Transaction' }).waitFor();
    const hidden = `[...document.querySelectorAll('button[aria-label^="Copy 0x"]')]
      .filter((one) => getComputedStyle(one).opacity !== '1' || one.getBoundingClientRect().right > innerWidth)
      .map((one) => one.ariaLabel)`;
    expect(await page.evaluate<string[]>(hidden)).toEqual([]);
    expect(await page.getByRole('button', { name: /^Copy 0x/ }).count()).toBeGreaterThan(1);
  });

  it('shows whose a sponsorship is, and its gas, in its row', async () => {
    const { page } = await site.enter('ops', '/sponsorships?state=failed', PHONE);
    await page
      .getByRole('row')
      .nth(1)
      .getByText(/· shop · 0\.\d+/)
      .waitFor();
  });

  it('shows why and whose a refusal is, and all of it at a touch', async () => {
    const { page } = await site.enter('ops', '/refusals?code=GAS_BUDGET_ABOVE_RESERVED', PHONE);
    const row = page.getByRole('row').nth(1);
    await row.getByText('shop · GAS_BUDGET_ABOVE_RESERVED').waitFor();
    await row
      .getByRole('link', { name: 'The gas budget is larger than what is reserved.' })
      .click();
    await page.getByRole('heading', { name: 'Refused: GAS_BUDGET_ABOVE_RESERVED' }).waitFor();
    await page.getByText("The transaction's gas budget exceeds the reserved budget").waitFor();
    await page.getByText('POST /v1/execute_tx').waitFor();
    const request = page.getByRole('region', { name: 'Request' });
    expect(await request.innerText()).toMatch(/Request id\s+[\w-]{8,}/);
    // Its address is a link to the same refusal.
    await page.reload();
    await page.getByText('POST /v1/execute_tx').waitFor();
  });

  it('reads a bar of a chart at a first touch, and lists what it counts at the next one', async () => {
    const visit = await site.enter('ops', '/', PHONE);
    const { page } = visit;
    await page.clock.setFixedTime(site.busyAt);
    await visit.go('/?period=day');
    const panel = page.getByRole('region', { name: 'Transactions', exact: true });
    const chart = panel.getByRole('img');
    await chart.scrollIntoViewIfNeeded();
    const box = (await chart.boundingBox())!;
    // The lowest part of the last bar: what was refused in this hour.
    const touch = () => page.touchscreen.tap(box.x + box.width - 24, box.y + box.height - 32);
    await touch();
    await panel.getByText(/ \d\d:00 to \d\d:00$/).waitFor();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await touch();
    await page.getByRole('heading', { name: 'Refusals', level: 1 }).waitFor();
    const hour = new Date(site.busyAt).toISOString().slice(0, 13);
    expect(new URL(page.url()).searchParams.get('period')).toBe(hour);
  });
});
