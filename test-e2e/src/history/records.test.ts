import { GasStation } from '@forecourt/client';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { describe, expect, it } from '@jest/globals';
import {
  type Application,
  buildSponsored,
  call,
  executeTx,
  reserved,
  sponsor,
} from '../support/application.js';
import { netGas } from '../support/net-gas.js';
import { system } from '../support/systems/history-system.js';
import { callerOf, type Listed, read, readAll, users } from './history-callers.js';

interface Usage {
  readonly rows: readonly { readonly token: string; readonly gas: string }[];
  readonly total: { readonly transactions: number; readonly failed: number; readonly gas: string };
}
const usageOf = (token: string, from: number) =>
  read<Usage>(callerOf('audit'), `/v1/usage?group_by=token&token=${token}&from=${from}`);

describe('a sponsorship', () => {
  it('is found at every moment, at every gateway, from its reservation on', async () => {
    const shop = callerOf('shop');
    const reservation = await reserved(shop);
    const id = reservation.reservation_id;
    const transaction = await buildSponsored(shop, reservation);
    const states = new Set<string>();
    const look = async (application: Application): Promise<string> => {
      const found = await call(callerOf('shop', application), 'GET', `/v1/sponsorships/${id}`);
      const record = found.body.result as unknown as Listed;
      expect([found.status, found.body.error]).toEqual([200, undefined]);
      states.add(record.status);
      if (record.digest === null || record.status === 'reserved') return record.status;
      const path = `/v1/transactions/${transaction.digest}`;
      const byDigest = await call(callerOf('shop', application), 'GET', path);
      expect([byDigest.status, byDigest.body.error]).toEqual([200, undefined]);
      return record.status;
    };
    await Promise.all(system.applications.map(look));
    const written = async () => (await usageOf('shop', 0)).total.transactions;
    const before = await written();
    let isOver = false;
    const watching = system.applications.map(async (application) => {
      while ((await look(application)) !== 'executed' || !isOver);
    });
    const { status } = await executeTx(shop, reservation, transaction);
    expect(status).toBe(200);
    // Only the database counts usage.
    await system.until(async () => (await written()) > before);
    isOver = true;
    await Promise.all(watching);
    expect(states).toContain('reserved');
    expect(states).toContain('executed');
  });

  it('of a transaction that is awaited is answered as soon as that has ended', async () => {
    const shop = callerOf('shop');
    const reservation = await reserved(shop);
    const transaction = await buildSponsored(shop, reservation);
    const method = 'iota_executeTransactionBlock';
    await system.control.fault({ kind: 'latency', ms: 2_000, method });
    const executed = executeTx(shop, reservation, transaction);
    const station = new GasStation({ url: system.applications[1]!.url, token: shop.token });
    try {
      await system.until(async () => (await station.transaction(transaction.digest)) !== null);
      const awaited = await station.transaction(transaction.digest, { waitMs: 30_000 });
      expect(awaited).toMatchObject({ status: 'executed', outcome: 'success', token: 'shop' });
    } finally {
      await system.control.clearFaults();
    }
    expect((await executed).status).toBe(200);
    expect(await station.sponsorship(reservation.reservation_id)).toMatchObject({
      digest: transaction.digest,
      refusals: [],
    });
    expect(await station.sponsorship(reservation.reservation_id + 1)).toBeNull();
  });

  it('of a transaction that the ledger refuses is answered then, with the refusal', async () => {
    const shop = callerOf('shop');
    const reservation = await reserved(shop);
    const transaction = await buildSponsored(shop, reservation);
    await system.control.fault({ kind: 'refuse', preset: 'equivocated', times: 1 });
    const executed = executeTx(shop, reservation, transaction);
    await system.until(async () => {
      const path = `/v1/transactions/${transaction.digest}`;
      const { body } = await call(shop, 'GET', path);
      return (body.result as unknown as Listed | undefined)?.status === 'quarantined';
    });
    await system.control.advanceEpoch();
    expect((await executed).status).toBe(400);
    const path = `/v1/sponsorships/${reservation.reservation_id}`;
    await system.until(async () => (await read<Listed>(shop, path)).status === 'expired');
    expect(await read(shop, path)).toMatchObject({ digest: transaction.digest });
  });
});

describe('a list', () => {
  it('has every record once while new ones arrive and are written', async () => {
    const shop = callerOf('other');
    const from = Date.now();
    const before: number[] = [];
    for (let count = 0; count < 8; count += 1) {
      before.push((await sponsor(shop)).reservation.reservation_id);
    }
    before.push((await reserved(shop, 1_000_000, 600)).reservation_id);
    const found = await readAll(shop, `/v1/sponsorships?from=${from}`, () => sponsor(shop));
    const ids = found.map((one) => one.reservation_id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(before));
    const executed = await readAll(shop, `/v1/sponsorships?from=${from}&status=executed`);
    expect(executed.every(({ status }) => status === 'executed')).toBe(true);
    const called = `/v1/sponsorships?from=${from}&package=0x2&module=clock&outcome=success`;
    expect(await readAll(shop, called)).toHaveLength(executed.length);
    expect(await readAll(shop, `${called}&function=no_such`)).toEqual([]);
  });
});

describe('usage', () => {
  it('is equal to what the ledger charged', async () => {
    const shop = callerOf('shop');
    const from = Date.now();
    let charged = 0n;
    for (let count = 0; count < 5; count += 1) {
      const isFailing = count === 2;
      const { answer } = await sponsor(shop, {
        user: new Ed25519Keypair(),
        ...(isFailing && { build: (tx) => system.demo.abort(tx, 7) }),
      });
      expect(answer.body.effects!.status.status).toBe(isFailing ? 'failure' : 'success');
      charged += netGas(answer.body.effects!);
    }
    await system.until(async () => (await usageOf('shop', from)).total.transactions === 5);
    const { rows, total } = await usageOf('shop', from);
    expect(total).toMatchObject({ transactions: 5, failed: 1, gas: String(charged) });
    expect(rows).toEqual([expect.objectContaining({ token: 'shop', gas: String(charged) })]);
    const station = new GasStation({ url: shop.url, token: shop.token });
    const own = await station.usage({ from, groupBy: ['function'] });
    expect(own.total.gas).toBe(charged);
    expect(own.rows.map((row) => row.function!.split('::')[2]).toSorted()).toEqual([
      'fail',
      'timestamp_ms',
    ]);
  });
});

describe('latency', () => {
  interface Latency {
    readonly rows: readonly object[];
    readonly total: {
      readonly transactions: number;
      readonly latency_ms: { readonly p50: number; readonly p99: number } | null;
      readonly queue_ms: { readonly p50: number; readonly p99: number } | null;
    };
  }

  it('contains the time that the ledger takes, and separates it from the queue', async () => {
    const user = callerOf('bob');
    const latency = () => read<Latency>(user, '/v1/latency?by=minute');
    const before = (await latency()).total.transactions;
    const method = 'iota_executeTransactionBlock';
    await system.control.fault({ kind: 'latency', ms: 3_000, method });
    try {
      const { answer } = await sponsor(user, { user: users.bob });
      expect(answer.status).toBe(200);
    } finally {
      await system.control.clearFaults();
    }
    await system.until(async () => (await latency()).total.transactions > before);
    const { latency_ms: whole, queue_ms: queue } = (await latency()).total;
    expect(whole!.p99).toBeGreaterThan(2_800);
    expect(queue!.p50).toBeLessThan(whole!.p99 - 2_500);
  });
});
