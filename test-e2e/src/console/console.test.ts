import { readFile } from 'node:fs/promises';
import { REPLICAS_KEY } from '@forecourt/contracts';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { buildSponsored, call, reserved, sponsor } from '../support/application.js';
import { as } from './busy-system.js';
import { MARKUP } from './receiver.js';
import { readTypes, renderTypesOf } from './client-types.js';
import { useConsole } from './use-console.js';

const site = await useConsole();

describe('the console', () => {
  it('is served by a gateway with the results of the client package: npm run forecourt -- api-types writes them', async () => {
    expect(await readTypes()).toEqual(await renderTypesOf(site.system.application.url));
  });

  it('asks for a token, refuses a wrong one, and keeps a right one out of addresses', async () => {
    const visit = await site.open();
    const { page } = visit;
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await page.getByLabel('Token').waitFor();
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

  it('explains a failed transaction, separates waiting from work, and links to the explorer', async () => {
    const visit = await site.enter('ops', `/sponsorships/${site.ids.failed}`);
    const { page } = visit;
    await page.getByText('aborted with code 7').waitFor();
    await page.getByText(/waiting, .* work$/).waitFor();
    const { body } = await call(
      as(site.system, 'ops'),
      'GET',
      `/v1/sponsorships/${site.ids.failed}`,
    );
    const { digest } = body.result as unknown as { digest: string };
    const link = page.getByRole('link', { name: 'Explorer' });
    expect(await link.getAttribute('href')).toBe(`https://explorer.example/transaction/${digest}`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = async (form: string) => {
      await page.getByRole('button', { name: `Copy ${form}` }).click();
      return page.evaluate<string>('navigator.clipboard.readText()');
    };
    expect(await copied('link')).toBe(page.url());
    expect(JSON.parse(await copied('JSON'))).toEqual(body.result);
    const url = `${new URL(page.url()).origin}/v1/sponsorships/${site.ids.failed}`;
    expect(await copied('curl')).toBe(`curl -H "authorization: Bearer $TOKEN" '${url}'`);
    await visit.go('/sponsorships');
    await page.getByRole('searchbox').fill(digest);
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('status').getByText('1 loaded').waitFor();
    await visit.go('/sponsorships?outcome=failure');
    await page.getByRole('status').getByText('1 loaded').waitFor();
    await page.getByRole('searchbox').fill(String(site.ids.failed));
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('heading', { name: 'Failed: garage::fail' }).waitFor();
  });

  it('shows the objects and events of an executed transaction, from the ledger', async () => {
    const user = new Ed25519Keypair();
    const { reservation } = await sponsor(as(site.system, 'shop'), {
      user,
      build: (tx) =>
        tx.moveCall({
          target: '0xdec0::garage::build_car',
          arguments: [tx.pure.string('Coupé'), tx.pure.address(user.toIotaAddress())],
        }),
    });
    const { page } = await site.enter('shop', `/sponsorships/${reservation.reservation_id}`);
    const effects = page.getByRole('region', { name: 'Effects' });
    const created = effects.getByRole('row').filter({ hasText: 'Created' });
    await created.getByRole('button', { name: `Copy ${user.toIotaAddress()}` }).waitFor();
    const emitted = effects.locator('details').filter({ hasText: '0xdec0::garage::CarBuilt' });
    await emitted.locator('summary').click();
    await emitted.getByText(`"builder": "${user.toIotaAddress()}"`).waitFor();
  });

  it('shows the latency of an hour, a day and a month, and reads none while it is paused', async () => {
    const visit = await site.open();
    const { page } = visit;
    await page.clock.install();
    await visit.signIn('shop-token');
    const panel = page.getByRole('region', { name: 'Latency' });
    for (const [period, bar] of [
      ['Hour', 'minute'],
      ['Day', 'hour'],
      ['Month', 'day'],
    ] as const) {
      await page.getByRole('button', { name: period, exact: true }).click();
      const drawn = new RegExp(
        `^Latency per ${bar}\\. All together: median .+, 99th percentile .+; in the queue median .+`,
      );
      await panel.getByRole('img', { name: drawn }).waitFor();
    }
    await page.getByRole('button', { name: 'Hour', exact: true }).click();
    const isRead = (request: { url(): string }) => request.url().includes('/v1/latency');
    await page.waitForRequest(isRead);
    await page.getByRole('button', { name: 'Pause updates' }).click();
    const read: string[] = [];
    page.on('request', (request) => isRead(request) && read.push(request.url()));
    await page.clock.runFor(60_000);
    expect(read).toEqual([]);
  });

  it('shows the rules at each gateway, and warns where they differ', async () => {
    const { page } = await site.enter('audit', '/access');
    const { body } = await call(as(site.system, 'audit'), 'GET', '/v1/access');
    const { version } = body.result as unknown as { version: string };
    const gateways = page.getByRole('region', { name: 'Gateways' });
    await gateways
      .getByRole('row')
      .filter({ hasText: `${version}shown here` })
      .waitFor();
    expect(await gateways.getByRole('alert').count()).toBe(0);
    const another = {
      service: 'gateway',
      id: 'gateway-2',
      version: '1.0.0-0123456789ab',
      startedAt: Date.now(),
      accessVersion: 'ffffffffffff',
    };
    const redis = new Redis(site.system.redisUrl);
    await redis.zadd(REPLICAS_KEY, Date.now(), JSON.stringify(another));
    await redis.quit();
    await gateways.getByRole('alert').filter({ hasText: 'different tokens or rules' }).waitFor();
    await gateways.getByRole('row').filter({ hasText: 'gateway-2ffffffffffff' }).waitFor();
  });

  it('sends a test to a webhook, and a delivery again, and shows the answers as text', async () => {
    const { page } = await site.enter('shop', '/webhooks');
    const failing = page.getByRole('row').filter({ hasText: '/failing' });
    await failing.getByRole('button', { name: 'Send test' }).click();
    const answer = page.getByRole('status').filter({ hasText: 'Test of' });
    await answer.waitFor();
    expect(await answer.innerText()).toContain(MARKUP);
    await failing.getByText('Failing', { exact: true }).waitFor();
    await failing.getByText('Answered 500').waitFor();
    const due = page.waitForResponse((response) => response.url().includes('/redeliver_waiting'));
    await failing.getByRole('button', { name: 'Send all waiting' }).click();
    expect((await due).status()).toBe(200);
    await page.getByText(/[1-9]\d* deliveries are due now/).waitFor();
    const delivery = page
      .locator('details')
      .filter({ hasText: '/hooks' })
      .filter({ hasText: 'sponsorship.' })
      .first();
    await delivery.locator('summary').click();
    const message = delivery.getByRole('group', { name: 'Message' });
    await message.getByText('"reservation_id": ').waitFor();
    const link = delivery.getByRole('link', { name: /^Sponsorship \d+$/ });
    expect(await link.getAttribute('href')).toMatch(/\/console\/sponsorships\/\d+$/);
    const again = page.waitForResponse((response) => response.url().includes('/redeliver'));
    await delivery.getByRole('button', { name: 'Send again' }).click();
    expect((await again).status()).toBe(200);
  });

  it('explains rule by rule what the access rules decide about a pasted transaction', async () => {
    const shop = as(site.system, 'shop');
    const { tx_bytes } = await buildSponsored(shop, await reserved(shop));
    const { page } = await site.enter('audit', '/access');
    await page.getByLabel('Transaction', { exact: true }).fill(tx_bytes);
    await page.getByLabel('Token', { exact: true }).selectOption('shop');
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('by rule fair use').waitFor();
    await page.getByText('move-call-function does not hold').waitFor();
    await page.getByText('matches and decides').waitFor();
  });

  it('follows events as they happen, and shows the filter as JSON', async () => {
    const { page } = await site.enter('shop', '/events');
    await page.getByLabel('Condition').selectOption('EventType');
    await page.getByLabel('Kind').selectOption('Checkpoint');
    await page.getByText('{"EventType":"Checkpoint"}').waitFor();
    await page.getByRole('button', { name: 'Live' }).click();
    await page.getByText('Connected', { exact: true }).waitFor();
    await sponsor(as(site.system, 'shop'));
    await page.locator('details').filter({ hasText: 'checkpoint' }).first().waitFor();
  });

  it('shows events below their transactions, with links, and checkpoints only if they are wanted', async () => {
    const { reservation, answer } = await sponsor(as(site.system, 'shop'), {
      build: (tx) =>
        tx.moveCall({
          target: '0xdec0::garage::build_car',
          arguments: [tx.pure.string('Kombi'), tx.pure.address(`0x${'7'.repeat(64)}`)],
        }),
    });
    expect(answer.status).toBe(200);
    const path = `/v1/sponsorships/${reservation.reservation_id}`;
    const { body } = await call(as(site.system, 'shop'), 'GET', path);
    const { digest } = body.result as unknown as { digest: string };
    const { page } = await site.enter('shop', '/events');
    const past = page.getByRole('region', { name: 'Past events' });
    const transaction = past.getByRole('listitem').filter({ hasText: digest }).first();
    const refresh = past.getByRole('button', { name: 'Refresh' });
    await site.system.until(async () => {
      if (await transaction.isVisible()) return true;
      if (await refresh.isEnabled()) await refresh.click();
      return false;
    });
    const explorer = transaction.getByRole('link', { name: 'Explorer' });
    expect(await explorer.getAttribute('href')).toContain(digest);
    expect(await past.innerText()).not.toContain('checkpoint');
    await transaction.getByRole('link', { name: 'Sponsorship' }).click();
    await page.getByRole('status').getByText('1 loaded').waitFor();
    await page.goBack();
    await page.getByLabel('Show checkpoints').check();
    await past.locator('details').filter({ hasText: 'checkpoint' }).first().waitFor();
  });

  it('shows how far the index of events reaches, and who writes it', async () => {
    const { page } = await site.enter('audit', '/events');
    const index = page.getByRole('region', { name: 'Index' });
    await index.getByText('nothing', { exact: true }).waitFor();
    const { body } = await call(as(site.system, 'audit'), 'GET', '/v1/events_index');
    const { writer } = body.result as unknown as { writer: string };
    await index.getByText(writer, { exact: true }).waitFor();
    expect(await index.innerText()).toMatch(/Checkpoints\s+\d[\d\s]* to \d/);
  });

  it('downloads usage as the gateway’s own CSV', async () => {
    const { page } = await site.enter('shop', '/usage?period=day');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    expect(text.split('\n')[0]).toMatch(/^hour,token,transactions,failed,refused,gas/);
    expect(text).toContain('shop');
    await page.getByLabel('Group by').selectOption('Month');
    const month = new Date().toISOString().slice(0, 7);
    await page.getByRole('group', { name: 'Usage by month' }).getByText(month).waitFor();
    const again = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const byMonth = await readFile(await (await again).path(), 'utf8');
    expect(byMonth).toContain('month,token,transactions,failed,refused,gas');
    expect(byMonth).toContain(`"${month}","shop",`);
  });
});
