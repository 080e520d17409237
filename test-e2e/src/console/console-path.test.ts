import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sponsor } from '../support/application.js';
import { as } from './busy-system.js';
import { PathProxy } from './path-proxy.js';
import { useConsole } from './use-console.js';

const PATH = '/gas/station';

const proxy = await PathProxy.start(PATH);
const site = await useConsole({ PUBLIC_URL: `${proxy.url}/` }, { address: proxy.url });
beforeAll(() => {
  proxy.target = site.system.application.url;
});
afterAll(() => proxy.stop());

const pages = (): readonly (readonly [path: string, title: string | RegExp])[] => [
  ['/', 'Overview'],
  ['/sponsorships?period=day', 'Sponsorships'],
  [`/sponsorships/${site.ids.failed}`, /^Failed: /],
  ['/refusals', 'Refusals'],
  ['/usage?period=day', 'Usage'],
  ['/webhooks', 'Webhooks'],
  ['/events', 'Events'],
  ['/pool', 'Pool'],
  ['/access', 'Access'],
  ['/help', 'Help'],
];

describe('the console below a path of a proxy that takes the path away', () => {
  it('loads every page, with everything that it asks for', async () => {
    const visit = await site.enter('ops');
    const { page } = visit;
    for (const [path, title] of pages()) {
      await visit.go(path);
      await visit.settled();
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      expect([path, await page.getByRole('alert').allInnerTexts()]).toEqual([path, []]);
    }
    const links = await page.getByRole('navigation').getByRole('link').all();
    for (const link of links) {
      expect(await link.getAttribute('href')).toMatch(/^\/gas\/station\/console(\/|$)/);
    }
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`${PATH}/console/usage`);
    // Chromium asks for an icon before it has read the page.
    expect(proxy.strays.filter((url) => url !== '/favicon.ico')).toEqual([]);
  });

  it('follows the fleet and the ledger live', async () => {
    const visit = await site.enter('shop');
    const { page } = visit;
    const newest = page.getByRole('region', { name: 'Newest sponsorships' });
    await newest.getByRole('row').nth(1).waitFor();
    const { reservation } = await sponsor(as(site.system, 'shop'));
    const ofIt = page.locator(
      `a[href="${PATH}/console/sponsorships/${reservation.reservation_id}"]`,
    );
    await ofIt.first().waitFor();
    await visit.go('/events');
    await page.getByLabel('Condition').selectOption('EventType');
    await page.getByLabel('Kind').selectOption('Checkpoint');
    await page.getByRole('button', { name: 'Live' }).click();
    await page.getByText('Connected', { exact: true }).waitFor();
    await sponsor(as(site.system, 'shop'));
    await page.locator('details').filter({ hasText: 'checkpoint' }).first().waitFor();
  });

  it('is where the description of the API says', async () => {
    const document = (await (await fetch(`${proxy.url}/openapi.json`)).json()) as {
      readonly servers: readonly { readonly url: string }[];
    };
    expect(document.servers).toEqual([{ url: proxy.url }]);
    const visit = await site.open();
    await visit.page.goto(`${proxy.url}/docs`);
    await visit.page.getByText('/v1/reserve_gas').first().waitFor();
  });
});
