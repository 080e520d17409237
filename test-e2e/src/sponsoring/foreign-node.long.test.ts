import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { GasCoinReference } from '@forecourt/contracts';
import { buildSponsored, executeTx, reserved, sponsor } from '../support/application.js';
import { scrape, sumOf } from '../operations/monitoring/scrape.js';
import { ForeignNetwork } from '../support/foreign-network.js';
import { type Connections, NodeRelay } from '../support/node-relay.js';
import { useSystem } from '../support/use-system.js';

const EXECUTE = 'iota_executeTransactionBlock';
const IDENTIFY = 'iota_getChainIdentifier';
const BOUND = 3;
const COINS = 12;
const SERVICES = ['coin-pool', 'executor', 'gateway'] as const;

const UNPUBLISHED = 'HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9';
const nameOf = ({ objectId, version }: GasCoinReference) => `${objectId}@${version}`;

describe.each(['json-rpc', 'grpc'] as const)(
  'another network behind the address of a node over %s',
  (dialect) => {
    let relay: NodeRelay;
    let foreign: ForeignNetwork;
    // The pool gets more coins while some are bound, and looks for new ones all the time.
    const system = useSystem({
      dialect,
      env: { POOL_TARGET_COINS: String(COINS), POOL_MIN_COINS: '1', POOL_SCAN_MS: '1000' },
      reachNodeBy: async (nodeUrl) => (relay = await NodeRelay.start(nodeUrl)).url,
    });

    beforeAll(async () => {
      foreign = await ForeignNetwork.start(dialect);
    });
    afterAll(async () => {
      relay?.stop();
      await foreign?.stop();
    });

    const quarantined = async () => Number((await system.totals()).coins.quarantined);
    /** Number of attempts of jobs. */
    const attempts = async () => {
      const metrics = await scrape(system.services('executor')[0]!.metricsUrl);
      return sumOf(metrics, 'forecourt_execution_attempts_total');
    };
    /** The answer of the executor's probe. */
    const readiness = async () =>
      (await fetch(`${system.services('executor')[0]!.url}/health/ready`)).text();
    /**
     * Makes calls whose coins validators hold for other transactions, and notes the statuses of their
     * answers.
     */
    const bind = async () => {
      const before = await attempts();
      const statuses: number[] = [];
      const coins: GasCoinReference[] = [];
      const calls = Array.from({ length: BOUND }, async () => {
        const reservation = await reserved(system.application);
        const transaction = await buildSponsored(system.application, reservation);
        coins.push(...reservation.gas_coins);
        await system.control.lock(reservation.gas_coins[0]!.objectId, UNPUBLISHED);
        return { reservation, transaction };
      });
      for (const { reservation, transaction } of await Promise.all(calls)) {
        void executeTx(system.application, reservation, transaction).then(({ status }) =>
          statuses.push(status),
        );
      }
      await system.until(async () => (await quarantined()) === BOUND);
      await system.until(async () => (await attempts()) === before + BOUND);
      return { statuses, coins };
    };

    it.each<Connections>(['kept', 'broken'])(
      'costs no coin, and lets no coin be signed for twice, if connections are %s',
      async (connections) => {
        const before = (await system.settledTotals()).coins;
        const bound = await bind();
        relay.leadTo(foreign.nodeUrl, connections);
        // A quarantine is checked again, and the executor takes no further jobs.
        await system.until(async () => (await readiness()).includes('it is on network'));
        expect(await quarantined()).toBe(BOUND);
        expect((await sponsor(system.application)).answer.status).toBe(503);
        const requestCount = await foreign.control.requestsOf(IDENTIFY);
        await system.until(
          async () => (await foreign.control.requestsOf(IDENTIFY)) > requestCount + 5,
        );
        expect(await foreign.control.requestsOf(EXECUTE)).toBe(0);
        expect(await quarantined()).toBe(BOUND);
        expect(bound.statuses).not.toContain(400);

        relay.leadHome(connections);
        await system.control.advanceEpoch();
        await system.until(async () => (await quarantined()) === 0);
        await system.untilFilled();
        expect((await system.settledTotals()).coins).toBeGreaterThanOrEqual(before);
        const used = new Set(bound.coins.map(nameOf));
        const all = await Promise.all(
          Array.from({ length: COINS }, () => reserved(system.application)),
        );
        expect(
          all.flatMap(({ gas_coins }) => gas_coins).filter((coin) => used.has(nameOf(coin))),
        ).toEqual([]);
        await system.endReservations();
        expect(await system.differences()).toEqual([]);
      },
    );

    it('is named in the logs, and is not accepted by services that start meanwhile', async () => {
      relay.leadTo(foreign.nodeUrl, 'broken');
      const starting: Promise<void>[] = [];
      for (const app of SERVICES) {
        for (const service of system.services(app)) {
          await service.stop();
          starting.push(service.start());
        }
      }
      const requestCount = await foreign.control.requestsOf(IDENTIFY);
      await system.until(
        async () => (await foreign.control.requestsOf(IDENTIFY)) > requestCount + 5,
      );
      const logs = await Promise.all(
        SERVICES.flatMap((app) => system.services(app).map((service) => service.log())),
      );
      for (const log of logs.slice(0, 2)) expect(log).toContain('it is on network');
      expect(await foreign.control.requestsOf(EXECUTE)).toBe(0);
      relay.leadHome('broken');
      await Promise.all(starting);
      await system.until(async () => (await sponsor(system.application)).answer.status === 200);
      expect(await system.differences()).toEqual([]);
    });
  },
);
