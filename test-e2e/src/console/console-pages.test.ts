import { describe, expect, it } from '@jest/globals';
import { call } from '../support/application.js';
import { as } from './busy-system.js';
import { PHONE, WIDE } from './console-browser.js';
import { comeBack, loadAll, scrollThrough, serveRows } from './many-rows.js';
import { useConsole } from './use-console.js';

const MANY = 100_000;

/** Tables that have to be scrolled sideways. */
const SCROLLED = `[...document.querySelectorAll('[role=group]:has(> table)')]
  .filter((one) => one.scrollWidth > one.clientWidth)
  .map((one) => one.getAttribute('aria-label') + ' is ' + one.scrollWidth + ' pixels wide')`;

const site = await useConsole();

const pages = () => [
  '/',
  '/sponsorships',
  `/sponsorships/${site.ids.failed}`,
  `/sponsorships/${site.ids.quarantined}`,
  '/refusals',
  '/usage?period=day',
  '/webhooks',
  '/limits',
  '/events',
  '/pool',
  '/access',
];

describe('the pages of the console', () => {
  it.each([
    ['ops', 'an operator, in light colours', WIDE],
    ['audit', 'an auditor, in dark colours', { ...WIDE, theme: 'dark' }],
    ['shop', 'a sponsor, on a phone', PHONE],
  ] as const)(
    'has no violation of accessibility rules on any page for %s: %s',
    async (token, _who, screen) => {
      const visit = await site.enter(token, '/', screen);
      const { page } = visit;
      const found: string[] = [];
      for (const path of pages()) {
        await visit.go(path);
        await visit.settled();
        for (const violation of await visit.findViolations()) found.push(`${path} ${violation}`);
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        if (Number(overflow) > 0) found.push(`${path} is ${String(overflow)} pixels too wide`);
        found.push(...(await page.evaluate<string[]>(SCROLLED)).map((one) => `${path}: ${one}`));
      }
      expect(found).toEqual([]);
    },
  );

  it('shows a sponsor nothing of others, asks for nothing beyond its role, and has no action for an auditor', async () => {
    const visit = await site.enter('shop');
    const { page } = visit;
    const refused: string[] = [];
    page.on('response', (response) => {
      if ([401, 403].includes(response.status())) refused.push(response.url());
    });
    for (const path of pages()) {
      if (path.endsWith(String(site.ids.quarantined))) continue;
      await visit.go(path);
      await visit.settled();
      expect(await visit.text()).not.toMatch(/\b(game|racer|Drain|Pause everything)\b/);
    }
    expect(refused).toEqual([]);
    await visit.go('/events');
    await visit.settled();
    expect(await page.getByRole('region', { name: 'Index' }).count()).toBe(0);
    await visit.go('/pool');
    expect(await page.getByRole('link', { name: /^(Pool|Access)$/ }).count()).toBe(0);
    await page.getByText('The token’s role does not show this page').waitFor();
    await visit.go(`/sponsorships/${site.ids.quarantined}`);
    await page.getByText('There is no record of it for this token.').waitFor();
    const audit = await site.enter('audit', '/pool');
    for (const path of ['/pool', '/access', '/webhooks']) {
      await audit.go(path);
      await audit.settled();
      const actions = audit.page.getByRole('button', {
        name: /^(Pause|Resume|Drain|Withdraw|Send)/,
      });
      expect([path, await actions.count()]).toEqual([path, 0]);
    }
  });

  it('scrolls smoothly through 100 000 sponsorships, with a bounded number of rows in the page', async () => {
    const { body } = await call(as(site.system, 'ops'), 'GET', '/v1/sponsorships?limit=1');
    const { data } = body.result as unknown as { data: [Parameters<typeof serveRows>[1]] };
    const visit = await site.enter('ops');
    const stop = await serveRows(visit.page, data[0], MANY);
    await visit.go('/sponsorships');
    await visit.settled();
    await loadAll(visit.page, MANY);
    const { mostRows, missing, longTasks } = await scrollThrough(visit.page);
    expect(missing).toEqual([]);
    expect(mostRows).toBeLessThan(80);
    expect(mostRows).toBeGreaterThan(20);
    expect(await comeBack(visit.page)).toEqual([]);
    stop();
    // Machines differ: a figure to look at, not a bound.
    process.stdout.write(
      `100 000 rows: ${mostRows} in the page, longest task ${Math.max(0, ...longTasks)} ms\n`,
    );
  });

  it('can be used by keyboard alone', async () => {
    const { page } = await site.enter('ops');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('usage');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type(String(site.ids.failed));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Failed: garage::fail' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});
