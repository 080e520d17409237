import { describe, expect, it } from '@jest/globals';
import { coinStates } from '@forecourt/coin-store';
import type { FleetResponse } from '@forecourt/contracts';
import { buildSponsored, call, executeTx, reserved, sponsor } from '../support/application.js';
import { system } from '../support/systems/inspected-system.js';
import { netGas } from '../support/net-gas.js';
import { applicationOf } from '../support/tokens-file.js';

type Fleet = FleetResponse['result'];

const shop = () => applicationOf('shop', system.application);
const admin = () => applicationOf('admin', system.application);

async function inspect(listed = 20): Promise<Fleet> {
  const answer = await call(admin(), 'GET', `/v1/fleet?listed=${listed}`);
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  return answer.body.result as unknown as Fleet;
}
const only = ({ sponsors }: Fleet) => {
  expect(sponsors).toHaveLength(1);
  return sponsors[0]!;
};

describe('the fleet', () => {
  it('shows every replica with its version, and which of them leads', async () => {
    await system.until(async () => (await inspect()).replicas.length === 5);
    const { replicas, problems, ...rest } = await inspect();
    const count = (service: string) => replicas.filter((one) => one.service === service).length;
    expect(['gateway', 'coin-pool', 'executor', 'events'].map(count)).toEqual([1, 2, 1, 1]);
    const version = await (await fetch(`${system.application.url}/version`)).json();
    expect(new Set(replicas.map((one) => one.version))).toEqual(new Set([version]));
    expect(new Set(replicas.map(({ id }) => id)).size).toBe(5);
    expect(problems).toEqual([]);
    const { leader } = only({ replicas, problems, ...rest });
    expect(replicas.find(({ id }) => id === leader)?.service).toBe('coin-pool');
  });

  it('has the pool’s own totals, and the spending since the first sample', async () => {
    const before = only(await inspect());
    const { answer } = await sponsor(shop());
    const charged = netGas(answer.body.effects!);
    await system.until(async () => {
      const { spending } = only(await inspect());
      return BigInt(spending.hour!.spent) === BigInt(before.spending.hour!.spent) + charged;
    });
    const after = only(await inspect());
    const totals = await system.totals();
    expect(BigInt(after.balance)).toBe(
      coinStates.reduce((sum, state) => sum + totals.balance[state], 0n),
    );
    for (const state of coinStates) {
      const { coins, balance } = after.coins[state]!;
      expect([state, BigInt(coins), BigInt(balance)]).toEqual([
        state,
        totals.coins[state],
        totals.balance[state],
      ]);
    }
    expect(after.spending.day!.since).toBeLessThan(Date.now());
  });

  it('lists transactions in flight with their age, and the reason of a quarantine', async () => {
    await system.control.fault({ kind: 'refuse', preset: 'equivocated', times: 1 });
    const reservation = await reserved(shop());
    const transaction = await buildSponsored(shop(), reservation);
    const executed = executeTx(shop(), reservation, transaction);
    const inFlight = ({ transactions }: Fleet) =>
      transactions.find(({ digest }) => digest === transaction.digest);
    await system.until(async () => inFlight(await inspect())?.state === 'quarantined');
    const fleet = await inspect();
    const listed = inFlight(fleet)!;
    expect(listed).toMatchObject({
      state: 'quarantined',
      caller: 'shop',
      reservation_id: reservation.reservation_id,
      coins: reservation.gas_coins.length,
      quarantine: {
        reason: expect.stringContaining('equivocated'),
        ends_after_epoch: fleet.epoch,
      },
    });
    expect(listed.age_secs).toBeLessThan(30);
    const none = await inspect(0);
    expect([none.transactions, only(none).reservations['quarantined']]).toEqual([[], 1]);
    await system.control.advanceEpoch();
    await system.until(async () => only(await inspect()).reservations['quarantined'] === 0);
    // The caller gets the reason that was listed.
    const answer = await executed;
    expect([answer.status, answer.body.error]).toEqual([400, listed.quarantine!.reason]);
  });

  it('is shown while the ledger is unreachable', async () => {
    await system.control.fault({ kind: 'down' });
    try {
      const { sponsors, queue } = await inspect();
      expect([sponsors.length, queue?.delayed]).toEqual([1, 0]);
    } finally {
      await system.control.clearFaults();
    }
  });

  it('shows a transaction during its execution, with its executor and the jobs', async () => {
    const reservation = await reserved(shop());
    const transaction = await buildSponsored(shop(), reservation);
    const method = 'iota_executeTransactionBlock';
    await system.control.fault({ kind: 'latency', ms: 2_000, method });
    const executed = executeTx(shop(), reservation, transaction);
    try {
      await system.until(async () => {
        const { transactions, queue, replicas } = await inspect();
        const executing = transactions.find(({ digest }) => digest === transaction.digest);
        const executor = replicas.find(({ id }) => id === executing?.executor);
        return executor?.service === 'executor' && queue!.active >= 1;
      });
    } finally {
      await system.control.clearFaults();
    }
    expect((await executed).status).toBe(200);
  });

  it('is available to operators only, and accepts only a sensible number', async () => {
    const answer = await call(shop(), 'GET', '/v1/fleet');
    expect([answer.status, answer.body.error]).toEqual([403, 'Token lacks the role operator']);
    expect((await call({ ...admin(), token: '' }, 'GET', '/v1/fleet')).status).toBe(401);
    for (const listed of ['-1', '101', '1e1', 'all', '', '5&listed=6']) {
      const wrong = await call(admin(), 'GET', `/v1/fleet?listed=${listed}`);
      expect([listed, wrong.status, wrong.headers.get('error-code')]).toEqual([
        listed,
        400,
        'INVALID_REQUEST',
      ]);
    }
  });
});
