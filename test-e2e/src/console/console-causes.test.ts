import { Database } from '@forecourt/history/database';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { call, sponsor } from '../support/application.js';
import { as } from './busy-system.js';
import { useConsole } from './use-console.js';

const site = await useConsole({}, { isBusy: false });

const findingOf = (page: Page, title: string) =>
  page.getByRole('region', { name: 'Health' }).getByRole('listitem').filter({ hasText: title });

describe('the health of a fleet without work', () => {
  it('names a drained sponsor, until its drain is ended', async () => {
    const { page } = await site.enter('ops');
    const ops = as(site.system, 'ops');
    const drained = findingOf(page, 'Every sponsor is drained');
    await findingOf(page, 'Sponsoring works').waitFor();
    const scope = { sponsor_address: site.system.sponsor };
    await call(ops, 'POST', '/v1/drain', { ...scope, reason: 'rotation' });
    await drained.getByText('No sponsor gives reservations.').waitFor();
    expect(await drained.getByRole('link').getAttribute('href')).toBe('/console/pool');
    const sponsors = page.getByRole('region', { name: 'Sponsors', exact: true });
    await sponsors.getByText('drained', { exact: true }).waitFor();
    await call(ops, 'POST', '/v1/undrain', scope);
    await findingOf(page, 'Sponsoring works').waitFor();
  });

  it('names callers that are refused because the coin-pool was away, until they are served', async () => {
    const { page } = await site.enter('ops');
    await findingOf(page, 'Sponsoring works').waitFor();
    const [coinPool] = site.system.services('coin-pool');
    const refused = findingOf(page, 'Callers are refused');
    coinPool!.kill('SIGSTOP');
    // The refusal is read through the coin-pool too.
    await expect(sponsor(as(site.system, 'shop'))).rejects.toThrow('coin-pool');
    coinPool!.kill('SIGCONT');
    await refused.getByText(/1 request got STORE_UNREACHABLE in the last minute/).waitFor();
    const { searchParams, pathname } = new URL(
      (await refused.getByRole('link').getAttribute('href'))!,
      page.url(),
    );
    expect(pathname).toBe('/console/refusals');
    expect(searchParams.get('code')).toBe('STORE_UNREACHABLE');
    await site.system.until(async () => {
      const served = await sponsor(as(site.system, 'shop')).catch(() => null);
      return served?.answer.status === 200;
    });
    await refused.waitFor({ state: 'detached' });
  });

  it('names an index of another ledger', async () => {
    const { page } = await site.enter('ops');
    const other = findingOf(page, 'The index of events holds another ledger');
    const { EVENTS_DATABASE_URL: url } = site.system.services('events')[0]!.options.env;
    const database = new Database({ databaseUrl: url!, databaseConnections: 1 });
    try {
      const known = 'SELECT genesis_transaction AS genesis FROM events.ledger';
      await site.system.until(async () => (await database.pool.query(known)).rows.length > 0);
      const { rows } = await database.pool.query<{ genesis: string }>(known);
      const setGenesis = (digest: string) =>
        database.pool.query('UPDATE events.ledger SET genesis_transaction = $1', [digest]);
      await setGenesis('another');
      await other.getByText('serves another ledger than the index').waitFor();
      expect(await other.getByRole('link').getAttribute('href')).toBe('/console/events');
      await setGenesis(rows[0]!.genesis);
      await other.waitFor({ state: 'detached' });
    } finally {
      await database.close();
    }
  });
});
