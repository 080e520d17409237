import { afterEach, describe, expect, it } from '@jest/globals';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { createSponsorKey } from '@forecourt/testing/system';
import { prepareCoinStore, readPoolTotals } from '@forecourt/coin-store';
import { Redis } from 'ioredis';
import {
  buildSponsored,
  call,
  executeTx,
  type Reservation,
  sponsor,
} from '../support/application.js';
import { buildCar, driveCar } from '../support/ledger-user.js';
import { useSystem } from '../support/use-system.js';

const keys = [createSponsorKey(), createSponsorKey()];
const COINS = 20;

/** Two sponsors from the start, whose pools share no script. */
const system = useSystem({
  gateways: 2,
  coinPools: 2,
  sponsor: keys[0]!,
  sponsorSecrets: keys.map(({ secret }) => secret),
  env: { POOL_TARGET_COINS: String(COINS), CLAIM_LEASE_MS: '2000' },
});
afterEach(() => system.control.clearFaults());

/** A user who owns cars. */
async function aDriver(count = 1): Promise<{ user: Ed25519Keypair; cars: string[] }> {
  const user = new Ed25519Keypair();
  const owner = user.toIotaAddress();
  const { answer } = await sponsor(system.application, {
    user,
    gasBudget: 100_000_000,
    build: (tx) => {
      for (let number = 0; number < count; number++) buildCar(tx, `Mini ${number}`, owner);
    },
  });
  await system.control.untilShown();
  const { created = [] } = answer.body.effects!;
  const cars = created.filter((one) => JSON.stringify(one.owner).includes(owner));
  return { user, cars: cars.map(({ reference }) => reference.objectId) };
}

/** A transaction that drives a car with the coins of one of the sponsors, ready to be sent. */
async function aRide(user: Ed25519Keypair, car: string, number: number) {
  const application = system.applications[number % 2]!;
  const body = {
    gas_budget: 10_000_000,
    reserve_duration_secs: 60,
    sponsor_address: keys[number % 2]!.address,
  };
  const reserved = await call(application, 'POST', '/v1/reserve_gas', body);
  expect(reserved.status).toBe(200);
  const reservation = reserved.body.result as unknown as Reservation;
  expect(reservation.sponsor_address).toBe(keys[number % 2]!.address);
  const options = {
    user,
    build: (tx: Parameters<typeof driveCar>[0]) => driveCar(tx, car, number + 1),
  };
  const transaction = await buildSponsored(application, reservation, options);
  return {
    ...transaction,
    run: async () => {
      const { status, headers } = await executeTx(application, reservation, transaction);
      return [status, headers.get('error-code')];
    },
  };
}

async function quarantined(): Promise<bigint> {
  const redis = prepareCoinStore(new Redis(system.redisUrl));
  const totals = await Promise.all(keys.map(({ address }) => readPoolTotals(redis, address)));
  redis.disconnect();
  return totals.reduce((sum, { coins }) => sum + coins.quarantined, 0n);
}

describe('two transactions over one object with coins of different sponsors', () => {
  it('cannot lock the coins of either: one of each pair is submitted, the other is refused', async () => {
    await system.control.mint(keys[1]!.address, 1_000_000_000_000);
    await system.until(async () => {
      const { body } = await call(system.application, 'GET', '/v1/sponsors');
      const { sponsors } = body.result as unknown as {
        sponsors: { coins: { available: number } }[];
      };
      return sponsors.length === 2 && sponsors.every(({ coins }) => coins.available >= COINS);
    });
    const { user, cars } = await aDriver(6);
    // Long enough that both of a pair are looked up before one has landed, on a busy machine too.
    await system.control.fault({ kind: 'split', ms: 2_000 });
    const pairs = await Promise.all(
      cars.map((car) => Promise.all([aRide(user, car, 0), aRide(user, car, 1)])),
    );
    const answers = await Promise.all(
      pairs.map((pair) => Promise.all(pair.map(({ run }) => run()))),
    );
    for (const [index, pair] of pairs.entries()) {
      expect(answers[index]!.toSorted()).toEqual([
        [200, null],
        [400, 'INPUT_IN_FLIGHT'],
      ]);
      const submissions = await Promise.all(
        pair.map(({ digest }) => system.control.submissionsOf(digest)),
      );
      expect(submissions.filter((count) => count > 0)).toHaveLength(1);
    }
    expect(await quarantined()).toBe(0n);
    expect(await system.differences()).toEqual([]);
  });

  it('are kept from their object for seconds only by a coin-pool that dies between the lock and the claim', async () => {
    const { user, cars } = await aDriver();
    const [gateway] = system.services('gateway');
    const coinPools = system.services('coin-pool');
    const [first, second] = [await aRide(user, cars[0]!, 0), await aRide(user, cars[0]!, 1)];
    await Promise.all(coinPools.map((coinPool) => coinPool.stop()));
    await coinPools[0]!.start({ FORECOURT_FAILPOINTS: 'coin-pool:after-lock=1' });
    const lost = first.run().then(
      ([status]) => status,
      () => 'connection lost',
    );
    await coinPools[0]!.exited();
    gateway!.kill('SIGKILL');
    // The gateway may still report the lost coin-pool before it dies.
    expect([503, 'connection lost']).toContain(await lost);
    await Promise.all([coinPools[0]!.stop(), gateway!.stop()]);
    await Promise.all([...coinPools, gateway!].map((service) => service.start()));
    const answers: unknown[] = [];
    await system.until(async () => {
      const answer = await second.run();
      answers.push(answer);
      return answer[0] === 200;
    });
    const refusals = answers.slice(0, -1);
    expect(refusals).toEqual(refusals.map(() => [400, 'INPUT_IN_FLIGHT']));
    expect((await first.run())[0]).toBe(400);
    expect(await system.control.submissionsOf(first.digest)).toBe(0);
    expect(await system.differences()).toEqual([]);
  });
});
