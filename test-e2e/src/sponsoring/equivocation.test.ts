import { afterEach, describe, expect, it } from '@jest/globals';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import {
  type Application,
  buildSponsored,
  executeTx,
  reserved,
  sponsor,
  type TransactionOptions,
} from '../support/application.js';
import { buildCar, driveCar } from '../support/ledger-user.js';
import { system } from '../support/systems/usual-system.js';

const EXECUTE = 'iota_executeTransactionBlock';

/** Creates a user with a car. */
async function aDriver(): Promise<{ user: Ed25519Keypair; car: string }> {
  const user = new Ed25519Keypair();
  const build = (tx: Transaction) => buildCar(tx, 'Mini', user.toIotaAddress());
  const { answer } = await sponsor(system.application, { user, build });
  await system.control.untilShown();
  const { created = [] } = answer.body.effects!;
  const owned = created.find(({ owner }) => JSON.stringify(owner).includes(user.toIotaAddress()));
  return { user, car: owned!.reference.objectId };
}

/** A transaction that drives the car, ready to be sent with a separate reservation. */
async function aRide(
  application: Application,
  { user, car }: Awaited<ReturnType<typeof aDriver>>,
  distance: number,
) {
  const reservation = await reserved(application);
  const options: TransactionOptions = { user, build: (tx) => driveCar(tx, car, distance) };
  const transaction = await buildSponsored(application, reservation, options);
  return { transaction, run: () => executeTx(application, reservation, transaction) };
}

const quarantined = async () => (await system.totals()).coins.quarantined;

describe('two transactions of one user over the same object', () => {
  afterEach(() => system.control.clearFaults());

  it('cannot lock the sponsor’s coins when sent at the same moment through two gateways', async () => {
    const driver = await aDriver();
    // If both were submitted, each would reach half of the validators, and both gas coins would be bound
    // until the epoch ends.
    await system.control.fault({ kind: 'split', ms: 400 });
    const rides = await Promise.all(
      Array.from({ length: 6 }, (_, i) => aRide(system.applications[i % 2]!, driver, i + 1)),
    );
    const answers = await Promise.all(rides.map(({ run }) => run()));
    const refused = answers.filter(({ status }) => status === 400);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(refused).toHaveLength(5);
    const submissions = await Promise.all(
      rides.map(({ transaction }) => system.control.submissionsOf(transaction.digest)),
    );
    expect(submissions.filter((count) => count > 0)).toHaveLength(1);
    for (const { body } of refused) {
      // On a busy machine, a call may arrive after the end of the first one.
      expect(body.error).toMatch(
        new RegExp(
          `locked by another transaction in flight: object ${driver.car} at version|` +
            `${driver.car}.*not available for consumption`,
        ),
      );
    }
    expect(await quarantined()).toBe(0n);
    await system.control.clearFaults();
    // The transaction names the car by its id.
    await system.control.untilShown();
    expect((await (await aRide(system.application, driver, 9)).run()).status).toBe(200);
    expect(await system.differences()).toEqual([]);
  });

  it('conflict, and the second one is refused until the first has ended', async () => {
    const driver = await aDriver();
    const [first, second] = [
      await aRide(system.applications[0]!, driver, 1),
      await aRide(system.applications[1]!, driver, 2),
    ];
    await system.control.fault({ kind: 'refuse', preset: 'gas-price', times: 1 });
    expect((await first.run()).body.error).toMatch(/gas price/i);
    // A final refusal releases the object.
    expect((await second.run()).status).toBe(200);
  });

  it('are refused while their object belongs to a quarantined transaction, until the epoch ends', async () => {
    const driver = await aDriver();
    const [first, second] = [
      await aRide(system.applications[0]!, driver, 1),
      await aRide(system.applications[1]!, driver, 2),
    ];
    await system.control.fault({ kind: 'refuse', preset: 'equivocated', method: EXECUTE });
    const refused = first.run();
    await system.until(async () => (await quarantined()) === 1n);
    await system.control.clearFaults();
    expect((await second.run()).body.error).toMatch(/in flight/);
    expect(await quarantined()).toBe(1n);
    await system.control.advanceEpoch();
    await system.until(async () => (await quarantined()) === 0n);
    // No other transaction has used the car: only the sponsor's own transaction shows that the first one can
    // never execute.
    const { status, body } = await refused;
    expect([status, body.error]).toEqual([400, expect.stringContaining('equivocated')]);
    expect((await (await aRide(system.application, driver, 3)).run()).status).toBe(200);
    expect(await system.differences()).toEqual([]);
  });
});
