import { median } from '@forecourt/testing/figures';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import {
  type Answer,
  buildSponsored,
  executeTx,
  type Reservation,
  reserved,
} from '../support/application.js';
import type { ObjectRef } from '../support/raw-transaction.js';
import { useSystem } from '../support/use-system.js';
import { MIN_LAG_MS, readMaxLagMs } from './lag-config.js';

const USERS = 20;
const DRIVES = 10;
const MAX_LAG_MS = readMaxLagMs();
/** Time to finality in ms. */
const FINALITY_MS = 250;
const EXECUTE = 'iota_executeTransactionBlock';
/** Maximum time for which a coin may stay bound beyond the lag. */
const BOUND_MS = 5_000;
const TIME_LIMIT_MS = 300_000;

const system = useSystem({
  gateways: 2,
  executors: 2,
  lagMs: `${MIN_LAG_MS}-${MAX_LAG_MS}`,
  env: { POOL_TARGET_COINS: '60' },
});
beforeEach(async () => {
  await system.until(async () => (await system.totals()).coins.available >= 40n);
  await system.control.fault({ kind: 'latency', ms: FINALITY_MS, method: EXECUTE });
});
afterEach(() => system.control.clearFaults());

const drive = (car: ObjectRef | string) => (tx: Transaction) => {
  const input = typeof car === 'string' ? tx.object(car) : tx.objectRef({ ...car });
  tx.moveCall({ target: '0xdec0::garage::drive', arguments: [input, tx.pure.u64(1)] });
};

const buildCar = (owner: string) => (tx: Transaction) => {
  const args = [tx.pure.string('Mini'), tx.pure.address(owner)];
  tx.moveCall({ target: '0xdec0::garage::build_car', arguments: args });
};

function referenceIn({ body }: Answer, owner: string): ObjectRef {
  const { created = [], mutated = [] } = body.effects!;
  return [...created, ...mutated].find((one) => JSON.stringify(one.owner).includes(owner))!
    .reference;
}

/** Repeats the call as long as the answer asks for it. */
async function sponsorPatiently(
  user: Ed25519Keypair,
  build: (tx: Transaction) => void,
  reservation?: Reservation,
) {
  reservation ??= await reserved(system.application, 20_000_000, 300);
  const options = { user, build, gasBudget: 20_000_000 };
  const transaction = await buildSponsored(system.application, reservation, options);
  const startedAt = performance.now();
  for (;;) {
    const answer = await executeTx(system.application, reservation, transaction);
    if (answer.status !== 503) return { answer, tookMs: performance.now() - startedAt };
    const seconds = Number(answer.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  }
}

const everyUser = <T>(run: () => Promise<T>) =>
  Promise.all(Array.from({ length: USERS }, () => run()));

describe('twenty users behind a node that lags', () => {
  it(
    'use their objects by reference without a wait for the node',
    async () => {
      const times = await everyUser(async () => {
        const user = new Ed25519Keypair();
        const address = user.toIotaAddress();
        const built = await sponsorPatiently(user, buildCar(address));
        let car = referenceIn(built.answer, address);
        const took: number[] = [];
        for (let step = 0; step < DRIVES; step++) {
          const { answer, tookMs } = await sponsorPatiently(user, drive(car));
          expect([answer.status, answer.body.error]).toEqual([200, null]);
          took.push(tookMs);
          car = referenceIn(answer, address);
        }
        return took;
      });
      const direct = await everyUser(async () => {
        const user = new Ed25519Keypair();
        await system.control.mint(user.toIotaAddress(), 1_000_000_000);
        const own = new Transaction();
        buildCar(user.toIotaAddress())(own);
        own.setSender(user.toIotaAddress());
        const bytes = await own.build({ client: system.ledger });
        const { signature } = await user.signTransaction(bytes);
        const startedAt = performance.now();
        // The SDK's own method leaves out the request type, and the node then waits for its own execution.
        await system.ledger.call('iota_executeTransactionBlock', [
          Buffer.from(bytes).toString('base64'),
          [signature],
          { showEffects: true },
          'WaitForEffectsCert',
        ]);
        return performance.now() - startedAt;
      });
      process.stdout.write(
        `follow-up by reference: median ${Math.round(median(times.flat()))} ms, directly ${Math.round(median(direct))} ms\n`,
      );
    },
    TIME_LIMIT_MS,
  );

  it(
    'use their objects by id: a refused transaction was not signed, and succeeds once the node shows the object',
    async () => {
      await everyUser(async () => {
        const user = new Ed25519Keypair();
        const built = await sponsorPatiently(user, buildCar(user.toIotaAddress()));
        const { objectId } = referenceIn(built.answer, user.toIotaAddress());
        await system.until(
          async () => (await system.ledger.getObject({ id: objectId })).data != null,
        );
        for (let step = 0; step < DRIVES; step++) {
          const reservation = await reserved(system.application, 20_000_000, 300);
          const { answer } = await sponsorPatiently(user, drive(objectId), reservation);
          if (answer.status === 200) continue;
          // The node has shown an earlier version to the application, which asks again.
          expect([answer.status, answer.body.error]).toEqual([
            400,
            expect.stringContaining('is not available for consumption'),
          ]);
          await system.control.untilShown();
          const again = await sponsorPatiently(user, drive(objectId), reservation);
          expect([again.answer.status, again.answer.body.error]).toEqual([200, null]);
        }
      });
      const { executing, quarantined } = (await system.totals()).coins;
      expect(executing + quarantined).toBe(0n);
    },
    TIME_LIMIT_MS,
  );

  it(
    'bind no coin for longer than the lag when only validators notice that an object has moved on',
    async () => {
      await everyUser(async () => {
        const user = new Ed25519Keypair();
        const address = user.toIotaAddress();
        const built = await sponsorPatiently(user, buildCar(address));
        const car = referenceIn(built.answer, address);
        await system.until(
          async () => (await system.ledger.getObject({ id: car.objectId })).data != null,
        );
        // The user's own wallet uses it, and the fleet does not see the effects.
        await system.control.mint(address, 1_000_000_000);
        const own = new Transaction();
        drive(car)(own);
        await system.ledger.signAndExecuteTransaction({ transaction: own, signer: user });
        const startedAt = performance.now();
        const { answer } = await sponsorPatiently(user, drive(car));
        expect([answer.status, answer.body.error]).toEqual([
          400,
          expect.stringContaining('is not available for consumption'),
        ]);
        expect(performance.now() - startedAt).toBeLessThan(MAX_LAG_MS + BOUND_MS);
      });
      await system.until(async () => {
        const { executing, quarantined } = (await system.totals()).coins;
        return executing + quarantined === 0n;
      }, BOUND_MS);
      expect(await system.differences()).toEqual([]);
    },
    TIME_LIMIT_MS,
  );
});
