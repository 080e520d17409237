import { describe, expect, it } from '@jest/globals';
import { buildSponsored, executeTx, reserved } from '../support/application.js';
import { netGas } from '../support/net-gas.js';
import { system } from '../support/systems/fleet-system.js';

const TRANSACTIONS = 300;
const CLIENTS = 64;

describe('two gateways, two coin-pools and three executors on one Redis', () => {
  it(`serve ${TRANSACTIONS} sponsored transactions of ${CLIENTS} clients without an error`, async () => {
    const before = await system.settledTotals();
    const usedVersions = new Set<string>();
    let started = 0;
    let charged = 0n;

    const client = async (number: number) => {
      const application = system.applications[number % system.applications.length]!;
      while (started < TRANSACTIONS) {
        started += 1;
        const reservation = await reserved(application);
        for (const coin of reservation.gas_coins) {
          const version = `${coin.objectId}@${coin.version}`;
          expect(usedVersions.has(version)).toBe(false);
          usedVersions.add(version);
        }
        const transaction = await buildSponsored(application, reservation);
        const { status, body } = await executeTx(application, reservation, transaction);
        expect([status, body.error]).toEqual([200, null]);
        expect(body.effects?.status).toEqual({ status: 'success' });
        charged += netGas(body.effects!);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));

    expect(usedVersions.size).toBeGreaterThanOrEqual(TRANSACTIONS);
    const after = await system.settledTotals();
    expect(after.balance).toBe(before.balance - charged);
    expect(after.coins).toBe(before.coins);
    expect(await system.differences()).toEqual([]);
  });

  it('share the work: every executor has done some', async () => {
    for (const executor of system.services('executor')) {
      expect(await executor.log()).toMatch(/"outcome":"executed"/);
    }
  });
});
