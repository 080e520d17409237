import { describe, expect, it } from '@jest/globals';
import { coinStates } from '@forecourt/coin-store';
import type { App } from '@forecourt/testing/system';
import { reserveGas, sponsor } from '../../support/application.js';
import { system } from '../../support/systems/observed-system.js';
import { type Exposition, scrape, sumOf } from './scrape.js';

const apps: readonly App[] = ['gateway', 'coin-pool', 'executor', 'events', 'devnet'];

const scrapeOf = (app: App): Promise<Exposition> => scrape(system.services(app)[0]!.metricsUrl);

describe('the metrics', () => {
  it.each(apps)('are available at the %s, with those of its process', async (app) => {
    const exposition = await scrapeOf(app);
    expect(sumOf(exposition, 'forecourt_service_info', { service: app })).toBe(1);
    expect(sumOf(exposition, 'forecourt_process_resident_memory_bytes')).toBeGreaterThan(1e6);
    expect(sumOf(exposition, 'forecourt_unread_figures_total')).toBe(0);
    expect([...exposition.types.keys()].every((name) => name.startsWith('forecourt_'))).toBe(true);
  });

  it('are not available at the public port', async () => {
    expect((await fetch(`${system.application.url}/metrics`)).status).toBe(404);
  });

  it('count executions, refusals and charges', async () => {
    const { application } = system;
    const before = await Promise.all([scrapeOf('executor'), scrapeOf('gateway')]);
    const poolBefore = await scrapeOf('coin-pool');
    const gasBefore = (await system.totals()).gasCharged;
    const abort = (tx: Parameters<typeof system.demo.abort>[0]) => system.demo.abort(tx, 7);
    expect((await sponsor(application)).answer.status).toBe(200);
    expect((await sponsor(application)).answer.status).toBe(200);
    expect((await sponsor(application, { build: abort })).answer.status).toBe(200);
    expect(
      (await sponsor(application, { gasOwner: system.sponsor, payment: [] })).answer.status,
    ).toBe(400);
    expect((await reserveGas(application, 0)).status).toBe(400);

    const after = await Promise.all([scrapeOf('executor'), scrapeOf('gateway')]);
    const poolAfter = await scrapeOf('coin-pool');
    const risen = (index: 0 | 1, name: string, labels?: Record<string, string>) =>
      sumOf(after[index], `forecourt_${name}`, labels) -
      sumOf(before[index], `forecourt_${name}`, labels);
    expect(risen(0, 'executions_total')).toBe(3);
    expect(risen(0, 'executions_total', { outcome: 'executed', cause: 'failure' })).toBe(1);
    expect(risen(0, 'execution_step_duration_seconds_count', { step: 'submit' })).toBe(3);
    const charged = Number((await system.totals()).gasCharged - gasBefore);
    expect(charged).toBeGreaterThan(0);
    const net =
      risen(0, 'gas_charged_smallest_unit_total') - risen(0, 'gas_refunded_smallest_unit_total');
    expect(net).toBe(charged);
    expect(risen(1, 'execute_requests_total', { outcome: 'executed' })).toBe(3);
    expect(risen(1, 'execute_request_duration_seconds_count', { outcome: 'executed' })).toBe(3);
    const route = { route: '/v1/reserve_gas', status: '200' };
    expect(risen(1, 'http_requests_total', route)).toBe(4);
    expect(risen(1, 'http_requests_total', { route: '/v1/reserve_gas', status: '400' })).toBe(1);
    const reservations = 'forecourt_reservations_total';
    expect(sumOf(poolAfter, reservations) - sumOf(poolBefore, reservations)).toBe(4);
  });

  it('show the coins like the audit, by state and by size', async () => {
    const { coins, balance } = await system.settledTotals();
    await system.until(async () => {
      const pool = await scrapeOf('coin-pool');
      const totals = await system.totals();
      return coinStates.every(
        (state) =>
          sumOf(pool, 'forecourt_pool_coins', { state }) === Number(totals.coins[state]) &&
          sumOf(pool, 'forecourt_pool_balance_smallest_unit', { state }) ===
            Number(totals.balance[state]),
      );
    });
    const pool = await scrapeOf('coin-pool');
    expect(sumOf(pool, 'forecourt_pool_coins')).toBe(coins);
    expect(sumOf(pool, 'forecourt_pool_balance_smallest_unit')).toBe(Number(balance));
    expect(sumOf(pool, 'forecourt_sponsor_balance_smallest_unit')).toBe(Number(balance));
    const available = sumOf(pool, 'forecourt_pool_coins', { state: 'available' });
    expect(sumOf(pool, 'forecourt_pool_available_coins')).toBe(available);
    expect(sumOf(pool, 'forecourt_maintenance_coins_made_total')).toBeGreaterThanOrEqual(60);
    expect(sumOf(pool, 'forecourt_redis_durable')).toBe(3);
    expect(await system.differences()).toEqual([]);
  });

  it('show the queue at the coin-pool too, so that it is monitored while no executor runs', async () => {
    const { samples } = await scrapeOf('coin-pool');
    expect(samples.map(({ name }) => name)).toContain('forecourt_queue_oldest_job_age_seconds');
  });

  it('show the findings of the regular audit', async () => {
    await system.until(async () => {
      const pool = await scrapeOf('coin-pool');
      return sumOf(pool, 'forecourt_audits_total', { outcome: 'exact' }) > 0;
    });
    const pool = await scrapeOf('coin-pool');
    expect(sumOf(pool, 'forecourt_audit_differences')).toBe(0);
    expect(sumOf(pool, 'forecourt_pool_leading')).toBe(1);
  });

  it('show subscribers and their messages, and that the stream keeps up with the node', async () => {
    const socket = new WebSocket(`${system.application.url.replace('http', 'ws')}/rpc`);
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    const heard = new Promise((resolve) => {
      socket.addEventListener('message', ({ data }) => {
        if (String(data).includes('"params"')) resolve(data);
      });
    });
    const params = [{ EventType: 'Checkpoint' }];
    const subscribe = { jsonrpc: '2.0', id: 1, method: 'ledger_subscribeEvent', params };
    socket.send(JSON.stringify(subscribe));
    await system.until(
      async () => sumOf(await scrapeOf('events'), 'forecourt_events_subscriptions') === 1,
    );
    await sponsor(system.application);
    await heard;
    const events = await scrapeOf('events');
    expect(sumOf(events, 'forecourt_events_connections')).toBe(1);
    expect(sumOf(events, 'forecourt_events_messages_sent_total')).toBeGreaterThan(0);
    expect(sumOf(events, 'forecourt_events_upstream_connected')).toBe(1);
    expect(sumOf(events, 'forecourt_events_upstream_in_use')).toBe(1);
    expect(sumOf(events, 'forecourt_rpc_calls_total', { outcome: 'answered' })).toBeGreaterThan(0);
    await system.until(
      async () => sumOf(await scrapeOf('events'), 'forecourt_events_lag_checkpoints') === 0,
    );
    await system.until(
      async () => sumOf(await scrapeOf('events'), 'forecourt_events_index_lag_checkpoints') === 0,
    );
    const index = await scrapeOf('events');
    expect(sumOf(index, 'forecourt_events_index_writer')).toBe(1);
    expect(sumOf(index, 'forecourt_events_index_bytes')).toBeGreaterThan(0);
    expect(sumOf(index, 'forecourt_events_index_missing_checkpoints')).toBe(0);
    expect(
      sumOf(index, 'forecourt_events_index_events_written_total', { work: 'live' }),
    ).toBeGreaterThan(0);
    socket.close();
  });

  it('show available values while Redis is down, and that it is down', async () => {
    await system.stopRedis();
    await system.until(async () => sumOf(await scrapeOf('coin-pool'), 'forecourt_redis_up') === 0);
    const isShown = ({ samples }: Exposition) =>
      samples.some(({ name }) => name === 'forecourt_pool_coins');
    await system.until(async () => !isShown(await scrapeOf('coin-pool')));
    for (const name of ['forecourt_unread_figures_total', 'forecourt_redis_errors_total']) {
      await system.until(async () => sumOf(await scrapeOf('coin-pool'), name) > 0);
    }
    await system.startRedis();
    await system.until(async () => (await reserveGas(system.application, 1, 1)).status === 200);
  });
});
