import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { buildSponsored, call, reserved, sponsor } from '../support/application.js';
import { useSystem } from '../support/use-system.js';
import { as, busyOptions, findIds, makeActivity, MARKUP, Receiver } from './busy-system.js';
import { requireChromium } from './chromium-config.js';
import { ConsoleVisit, launch, PHONE, type Screen, WIDE } from './console-browser.js';
import { readTypes, renderTypesOf } from './gateway-types.js';

jest.setTimeout(120_000);

const receiver = await Receiver.start();
const system = useSystem((files) => busyOptions(files, receiver));
let browser: Browser;
let visit: ConsoleVisit;
let ids: Awaited<ReturnType<typeof findIds>>;

beforeAll(async () => {
  browser = await launch(requireChromium());
  await makeActivity(system);
  ids = await findIds(system);
});
afterEach(async () => {
  await visit?.requireSound();
  await visit?.close();
});
afterAll(async () => {
  await browser?.close();
  receiver.stop();
});

async function enter(token: string, path = '/', screen: Screen = WIDE): Promise<ConsoleVisit> {
  visit = await ConsoleVisit.open(browser, system.application.url, screen);
  await visit.signIn(`${token}-token`);
  if (path !== '/') await visit.go(path);
  await visit.settled();
  return visit;
}

const pages = () => [
  '/',
  '/sponsorships',
  `/sponsorships/${ids.failed}`,
  `/sponsorships/${ids.quarantined}`,
  '/refusals',
  '/usage?period=day',
  '/webhooks',
  '/events',
  '/pool',
  '/access',
];

describe('the console', () => {
  it('is compiled with the types of this gateway: npm run console:types writes them', async () => {
    expect(await readTypes()).toBe(await renderTypesOf(system.application.url));
  });

  it('asks for a token, refuses a wrong one, and keeps a right one out of addresses', async () => {
    visit = await ConsoleVisit.open(browser, system.application.url);
    const { page } = visit;
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    expect(await visit.findViolations()).toEqual([]);
    await page.getByLabel('Token').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').filter({ hasText: 'does not know this token' }).waitFor();
    await visit.signIn('shop-token');
    await visit.settled();
    expect([page.url(), ...sent].filter((url) => url.includes('shop-token'))).toEqual([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Token').waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  it.each([
    ['ops', 'an operator, in light colours', WIDE],
    ['audit', 'an auditor, in dark colours', { ...WIDE, theme: 'dark' }],
    ['shop', 'a sponsor, on a phone', PHONE],
  ] as const)(
    'has no violation of accessibility rules on any page for %s: %s',
    async (token, _who, screen) => {
      const { page } = await enter(token, '/', screen);
      const found: string[] = [];
      for (const path of pages()) {
        await visit.go(path);
        await visit.settled();
        for (const violation of await visit.findViolations()) found.push(`${path} ${violation}`);
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        if (Number(overflow) > 0) found.push(`${path} is ${String(overflow)} pixels too wide`);
      }
      expect(found).toEqual([]);
    },
  );

  it('shows a sponsor nothing of others, asks for nothing beyond its role, and has no action for an auditor', async () => {
    const { page } = await enter('shop');
    const refused: string[] = [];
    page.on('response', (response) => {
      if ([401, 403].includes(response.status())) refused.push(response.url());
    });
    for (const path of pages()) {
      if (path.endsWith(String(ids.quarantined))) continue;
      await visit.go(path);
      await visit.settled();
      expect(await visit.text()).not.toMatch(/\b(game|racer|Drain|Pause everything)\b/);
    }
    expect(refused).toEqual([]);
    expect(await page.getByRole('link', { name: /^(Pool|Access)$/ }).count()).toBe(0);
    await page.getByText('The token’s role does not show this page').waitFor();
    await visit.go(`/sponsorships/${ids.quarantined}`);
    await page.getByText('There is no record of it for this token.').waitFor();
    await visit.close();
    await enter('audit', '/pool');
    for (const path of ['/pool', '/access', '/webhooks']) {
      await visit.go(path);
      await visit.settled();
      const actions = visit.page.getByRole('button', {
        name: /^(Pause|Resume|Drain|Withdraw|Send)/,
      });
      expect([path, await actions.count()]).toEqual([path, 0]);
    }
  });

  it('names health, cause and remedy, and shows unknown where the gateway does not answer', async () => {
    const { page } = await enter('ops');
    const health = page.getByRole('region', { name: 'Health' });
    await health.getByText('Something is paused').waitFor();
    expect(await health.innerText()).toContain(MARKUP);
    await page.context().setOffline(true);
    await page.getByText('Connection lost').waitFor();
    await health.getByText('The state of the fleet is unknown').waitFor();
    await page.context().setOffline(false);
    await health.getByText('Something is paused').waitFor();
  });

  it('explains a failed transaction, separates waiting from work, and links to the explorer', async () => {
    const { page } = await enter('ops', `/sponsorships/${ids.failed}`);
    await page.getByText('aborted with code 7').waitFor();
    await page.getByText(/waiting, .* work$/).waitFor();
    const { body } = await call(as(system, 'ops'), 'GET', `/v1/sponsorships/${ids.failed}`);
    const { digest } = body.result as unknown as { digest: string };
    const link = page.getByRole('link', { name: 'Explorer' });
    expect(await link.getAttribute('href')).toBe(`https://explorer.example/transaction/${digest}`);
    await visit.go('/sponsorships');
    await page.getByRole('searchbox').fill(digest);
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('status').getByText('1 loaded').waitFor();
    await visit.go('/sponsorships?outcome=failure');
    await page.getByRole('status').getByText('1 loaded').waitFor();
    await page.getByRole('searchbox').fill(String(ids.failed));
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('heading', { name: `Reservation ${ids.failed}` }).waitFor();
  });

  it('pauses, resumes, drains and ends the drain of a sponsor, with reason and audit trail', async () => {
    const { page } = await enter('ops', '/pool');
    const pausesOf = async () => {
      const { body } = await call(as(system, 'audit'), 'GET', '/v1/pauses');
      return (body.result as unknown as { paused: { scope: string; reason: string }[] }).paused;
    };
    const confirm = async (button: string, reason?: string) => {
      await page.getByRole('button', { name: button }).click();
      const dialog = page.getByRole('dialog');
      if (reason !== undefined) await dialog.getByLabel('Reason').fill(reason);
      await dialog
        .getByRole('button', { name: button.split(' ')[0]! })
        .first()
        .click();
      await dialog.waitFor({ state: 'detached' });
    };
    await confirm(`Pause ${system.sponsor}`, 'audit of keys');
    const scope = `sponsor ${system.sponsor}`;
    expect(await pausesOf()).toContainEqual(
      expect.objectContaining({ scope, reason: 'audit of keys' }),
    );
    await confirm(`Resume ${scope}`);
    expect((await pausesOf()).map((one) => one.scope)).not.toContain(scope);
    await confirm(`Drain ${system.sponsor}`, 'rotation');
    await page.getByText('draining', { exact: true }).waitFor();
    await confirm(`End drain ${system.sponsor}`);
    await page.getByText('serving', { exact: true }).waitFor();
    const trail = page.getByRole('region', { name: 'Actions of operators' });
    expect(await trail.innerText()).toMatch(
      /undrain[\s\S]*drain[\s\S]*rotation[\s\S]*pause[\s\S]*audit of keys/,
    );
  });

  it('sends a test to a webhook, and a delivery again, and shows the answers as text', async () => {
    const { page } = await enter('shop', '/webhooks');
    const failing = page.getByRole('row').filter({ hasText: '/failing' });
    await failing.getByRole('button', { name: 'Send test' }).click();
    const answer = page.getByRole('status').filter({ hasText: 'Test of' });
    await answer.waitFor();
    expect(await answer.innerText()).toContain(MARKUP);
    const delivery = page.locator('details').filter({ hasText: '/hooks' }).first();
    await delivery.locator('summary').click();
    const again = page.waitForResponse((response) => response.url().includes('/redeliver'));
    await delivery.getByRole('button', { name: 'Send again' }).click();
    expect((await again).status()).toBe(200);
  });

  it('explains rule by rule what the access rules decide about a pasted transaction', async () => {
    const shop = as(system, 'shop');
    const { tx_bytes } = await buildSponsored(shop, await reserved(shop));
    const { page } = await enter('audit', '/access');
    await page.getByLabel('Transaction', { exact: true }).fill(tx_bytes);
    await page.getByLabel('Token', { exact: true }).selectOption('shop');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('by rule fair use').waitFor();
    await page.getByText('move-call-function does not hold').waitFor();
    await page.getByText('matches and decides').waitFor();
  });

  it('follows events as they happen, and shows the filter as JSON', async () => {
    const { page } = await enter('shop', '/events');
    await page.getByLabel('Condition').selectOption('EventType');
    await page.getByLabel('Kind').selectOption('Checkpoint');
    await page.getByText('{"EventType":"Checkpoint"}').waitFor();
    await page.getByRole('button', { name: 'Live' }).click();
    await page.getByText('Connected', { exact: true }).waitFor();
    await sponsor(as(system, 'shop'));
    await page.locator('details').filter({ hasText: 'checkpoint' }).first().waitFor();
  });

  it('downloads usage as the gateway’s own CSV', async () => {
    const { page } = await enter('shop', '/usage?period=day');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    expect(text.split('\n')[0]).toMatch(/^hour,token,transactions,failed,refused,gas/);
    expect(text).toContain('shop');
  });

  it('can be used by keyboard alone', async () => {
    const { page } = await enter('ops');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('usage');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type(String(ids.failed));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: `Reservation ${ids.failed}` }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});
