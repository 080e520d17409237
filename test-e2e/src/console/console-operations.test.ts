import { describe, expect, it } from '@jest/globals';
import type { Page, Request } from 'playwright-core';
import { call } from '../support/application.js';
import { as, SAFE } from './busy-system.js';
import { MARKUP } from './receiver.js';
import { useConsole } from './use-console.js';

const site = await useConsole();

/** Opens the dialog of a button, fills its fields and confirms. */
async function confirm(page: Page, button: string, fields: Record<string, string> = {}) {
  await page.getByRole('button', { name: button }).click();
  const dialog = page.getByRole('dialog');
  for (const [label, text] of Object.entries(fields)) await dialog.getByLabel(label).fill(text);
  const [verb] = button.split(' ');
  await dialog.getByRole('button', { name: verb! }).first().click();
  await dialog.waitFor({ state: 'detached' });
}

describe('the console of an operator', () => {
  it('names health, cause and remedy, and shows unknown where the gateway does not answer', async () => {
    const { page } = await site.enter('ops');
    const health = page.getByRole('region', { name: 'Health' });
    await health.getByText('Something is paused').waitFor();
    expect(await health.innerText()).toContain(MARKUP);
    const [gateway] = site.system.services('gateway');
    gateway!.kill('SIGSTOP');
    await page.getByText('Connection lost').waitFor();
    await health.getByText('The state of the fleet is unknown').waitFor();
    gateway!.kill('SIGCONT');
    await health.getByText('Something is paused').waitFor();
  });

  it('shows a sponsor’s coins while the ledger is away, and does not call them gone', async () => {
    const { page } = await site.enter('ops');
    const sponsors = page.getByRole('region', { name: 'Sponsors', exact: true });
    await sponsors.getByText('Available').first().waitFor();
    await site.system.control.fault({ kind: 'down' });
    await page.getByText('The ledger’s state is unknown').waitFor();
    expect(await sponsors.innerText()).toMatch(/Available\s+[\d.,]+ IOTA\s+in [1-9]/);
    await site.system.control.clearFaults();
    await page.getByText('Something is paused').waitFor();
  });

  it('asks for all figures of the fleet at once, never twice at a time', async () => {
    const { page } = await site.enter('ops');
    const requested = new Set<string>();
    let asking = 0;
    let mostAtOnce = 0;
    const isPoll = (request: Request) => request.url().endsWith('/v1/overview');
    page.on('request', (request) => {
      requested.add(new URL(request.url()).pathname);
      if (isPoll(request)) mostAtOnce = Math.max(mostAtOnce, ++asking);
    });
    page.on('requestfinished', (request) => void (isPoll(request) && (asking -= 1)));
    // Longer than the time between two polls.
    await page.route('**/v1/overview', (route) => setTimeout(() => void route.continue(), 2_500));
    const health = page.getByRole('region', { name: 'Health' });
    await health.getByText('Something is paused').waitFor();
    await call(as(site.system, 'ops'), 'POST', '/v1/pause', { reason: 'incident' });
    await health.getByText('Sponsoring is paused').waitFor();
    await call(as(site.system, 'ops'), 'POST', '/v1/resume', {});
    await health.getByText('Something is paused').waitFor();
    expect(mostAtOnce).toBe(1);
    const expected = ['overview', 'sponsorships', 'limits', 'usage', 'latency'];
    expect([...requested].filter((path) => !expected.includes(path.slice(4)))).toEqual([]);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it.each(['updates are paused', 'its tab is hidden'])(
    'asks for nothing while %s',
    async (when) => {
      const visit = await site.enter('ops');
      const { page } = visit;
      await page.clock.install();
      await page.reload();
      await visit.settled();
      const health = page.getByRole('region', { name: 'Health' });
      await health.getByText('Something is paused').waitFor();
      const set = async (isIdle: boolean) => {
        if (when === 'updates are paused') {
          await page.getByRole('button', { name: isIdle ? 'Pause updates' : 'Follow' }).click();
          return;
        }
        const state = isIdle ? 'hidden' : 'visible';
        await page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        window.dispatchEvent(new Event('visibilitychange'));`);
      };
      await set(true);
      await page.waitForLoadState('networkidle');
      const requested: string[] = [];
      page.on('request', (request) => requested.push(new URL(request.url()).pathname));
      for (let minute = 0; minute < 3; minute++) await page.clock.runFor(60_000);
      expect(requested).toEqual([]);
      const question = page.waitForRequest((request) => request.url().endsWith('/v1/overview'));
      await set(false);
      await question;
    },
  );

  it('pauses, resumes, drains and ends the drain of a sponsor, with reason and audit trail', async () => {
    const { page } = await site.enter('ops', '/pool');
    const pausesOf = async () => {
      const { body } = await call(as(site.system, 'audit'), 'GET', '/v1/pauses');
      return (body.result as unknown as { paused: { scope: string; reason: string }[] }).paused;
    };
    await confirm(page, `Pause ${site.system.sponsor}`, { Reason: 'audit of keys' });
    const scope = `sponsor ${site.system.sponsor}`;
    expect(await pausesOf()).toContainEqual(
      expect.objectContaining({ scope, reason: 'audit of keys' }),
    );
    await confirm(page, `Resume ${scope}`);
    expect((await pausesOf()).map((one) => one.scope)).not.toContain(scope);
    await confirm(page, `Drain ${site.system.sponsor}`, { Reason: 'rotation' });
    await page.getByText('draining', { exact: true }).waitFor();
    await confirm(page, `End drain ${site.system.sponsor}`);
    await page.getByText('serving', { exact: true }).waitFor();
    const trail = page.getByRole('region', { name: 'Actions of operators' });
    expect(await trail.innerText()).toMatch(
      /undrain[\s\S]*drain[\s\S]*rotation[\s\S]*pause[\s\S]*audit of keys/,
    );
  });

  it('has the focus where it was after Escape has closed a dialog', async () => {
    const { page } = await site.enter('ops', '/pool');
    const dialog = page.getByRole('dialog');
    for (const name of ['Drain', 'Pause', 'Reconcile']) {
      const button = page.getByRole('button', { name: `${name} ${site.system.sponsor}` });
      const text = await button.textContent();
      await button.focus();
      for (const opening of ['Enter', 'Control+k']) {
        await page.keyboard.press(opening);
        await dialog.waitFor();
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
        await site.system.until(async () => {
          const focused = await page.locator('button:focus').allTextContents();
          return focused[0] === text;
        });
      }
    }
  });

  it('shows how many available coins there are of each size', async () => {
    const { page } = await site.enter('audit', '/pool');
    const { body } = await call(as(site.system, 'audit'), 'GET', '/v1/fleet');
    const { sponsors } = body.result as unknown as {
      sponsors: { coins: { available: { coins: number } }; sizes: { coins: number }[] }[];
    };
    const [{ coins, sizes }] = sponsors as [(typeof sponsors)[number]];
    expect(sizes.reduce((sum, one) => sum + one.coins, 0)).toBe(coins.available.coins);
    const table = page.getByRole('group', { name: 'Available coins by balance' });
    expect(await table.getByRole('row').count()).toBe(sizes.length + 1);
  });

  it('compares a pool with the ledger, and shows the result', async () => {
    const { page } = await site.enter('ops', '/pool');
    await page.getByRole('button', { name: `Reconcile ${site.system.sponsor}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('after an alert');
    await dialog.getByRole('button', { name: 'Reconcile' }).click();
    await dialog.getByText('0 corrected, 0 differences remain.').waitFor();
    await dialog.getByText('Close', { exact: true }).last().click();
    await page.getByRole('cell', { name: 'after an alert' }).waitFor();
  });

  it('withdraws the funds of a drained sponsor to an address, for a reason', async () => {
    const { page } = await site.enter('ops', '/pool');
    const { sponsor: address, control, until } = site.system;
    await confirm(page, `Drain ${address}`, { Reason: 'retirement' });
    // Quarantined coins are free in the next epoch.
    await control.advanceEpoch();
    await page.getByText('drained', { exact: true }).waitFor();
    await page.getByRole('button', { name: `Withdraw ${address}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('To address').fill(`0x${'7'.repeat(64)}`);
    await dialog.getByRole('alert').filter({ hasText: 'WITHDRAW_ADDRESSES' }).waitFor();
    await dialog.getByLabel('To address').fill(SAFE);
    await dialog.getByRole('alert').waitFor({ state: 'detached' });
    await dialog.getByLabel('Reason').fill('retirement');
    await dialog.getByLabel('Amount').fill('1,5');
    await dialog.getByLabel('Confirmation').fill(SAFE.slice(-8));
    const send = dialog.getByRole('button', { name: 'Withdraw' });
    expect(await send.isDisabled()).toBe(true);
    await dialog.getByLabel('Amount').fill('999999999');
    await dialog.getByRole('alert').filter({ hasText: 'order at most that' }).waitFor();
    await dialog.getByLabel('Amount').fill('0.5');
    await dialog.getByRole('alert').waitFor({ state: 'detached' });
    expect(await dialog.innerText()).toMatch(
      /Amount\s+0.5 IOTA\s+Remains\s+[\d.\u202f]+ IOTA, less the gas/,
    );
    await send.click();
    await dialog.waitFor({ state: 'detached' });
    const balanceOfSafe = async () => {
      const { totalBalance } = await site.system.application.ledger.getBalance({ owner: SAFE });
      return BigInt(totalBalance);
    };
    await until(async () => (await balanceOfSafe()) === 500_000_000n);
    await page.getByText('Withdrawn: 0.5 IOTA of 0.5 IOTA').waitFor();

    await page.getByRole('button', { name: `Withdraw ${address}` }).click();
    await dialog.getByLabel('To address').fill(SAFE);
    await dialog.getByLabel('Reason').fill('retirement');
    expect(await dialog.innerText()).toMatch(
      /Amount\s+[\d.\u202f]+ IOTA in \d+ gas coins\s+Remains\s+nothing/,
    );
    await dialog.getByLabel('Confirmation').fill('00000000');
    const withdraw = dialog.getByRole('button', { name: 'Withdraw' });
    expect(await withdraw.isDisabled()).toBe(true);
    await dialog.getByLabel('Confirmation').fill(SAFE.slice(-8));
    await withdraw.click();
    await dialog.waitFor({ state: 'detached' });
    const trail = page.getByRole('region', { name: 'Actions of operators' });
    await trail.getByText('withdraw', { exact: true }).first().waitFor();
    expect(await trail.innerText()).toContain('retirement');
    await until(async () => (await balanceOfSafe()) > 500_000_000n);
  });
});
