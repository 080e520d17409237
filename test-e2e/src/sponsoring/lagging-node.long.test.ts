import { afterEach, describe, expect, it } from '@jest/globals';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import {
  type Answer,
  type Application,
  buildSponsored,
  executeTx,
  reserved,
  type SignedTransaction,
  sponsor,
} from '../support/application.js';
import { useSystem } from '../support/use-system.js';

interface Reference {
  readonly objectId: string;
  readonly version: number | string;
  readonly digest: string;
}

const RIDES = 10;
const system = useSystem({ gateways: 2, executors: 2 });
afterEach(() => system.control.clearFaults());

/** Sets the lag of reads behind submissions from now on. */
async function lag(ms: number): Promise<void> {
  await system.control.fault({ kind: 'lag', ms });
}

const drive = (car: string | Reference) => (tx: Transaction) => {
  const input = typeof car === 'string' ? tx.object(car) : tx.objectRef({ ...car });
  tx.moveCall({ target: '0xdec0::garage::drive', arguments: [input, tx.pure.u64(1)] });
};

/** The user's object among the objects that a transaction has written. */
function writtenFor(user: Ed25519Keypair, { body }: Answer): Reference {
  const { created = [], mutated = [] } = body.effects!;
  const own = [...created, ...mutated].find(({ owner }) =>
    JSON.stringify(owner).includes(user.toIotaAddress()),
  );
  return own!.reference;
}

async function aDriver(): Promise<{ user: Ed25519Keypair; car: Reference }> {
  const user = new Ed25519Keypair();
  const build = (tx: Transaction) => {
    const args = [tx.pure.string('Mini'), tx.pure.address(user.toIotaAddress())];
    tx.moveCall({ target: '0xdec0::garage::build_car', arguments: args });
  };
  const { answer } = await sponsor(system.application, { user, build });
  return { user, car: writtenFor(user, answer) };
}

/** Returns the first answer, and the final one after repeating the call as long as the answer is 503. */
async function executeUntilDecided(
  application: Application,
  reservation: Parameters<typeof executeTx>[1],
  transaction: SignedTransaction,
): Promise<{ first: Answer; last: Answer }> {
  const first = await executeTx(application, reservation, transaction);
  let last = first;
  while (last.status === 503) {
    const seconds = Number(last.headers.get('retry-after'));
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    last = await executeTx(application, reservation, transaction);
  }
  return { first, last };
}

const boundCoins = async () => {
  const { executing, quarantined } = (await system.totals()).coins;
  return executing + quarantined;
};

describe('a fleet behind a node that lags', () => {
  it('executes ten transactions on one object by the references of effects, without waiting for the node', async () => {
    const driver = await aDriver();
    await lag(30_000);
    let car = driver.car;
    for (let ride = 0; ride < RIDES; ride++) {
      const application = system.applications[ride % 2]!;
      const { answer } = await sponsor(application, { user: driver.user, build: drive(car) });
      expect([answer.status, answer.body.error]).toEqual([200, null]);
      car = writtenFor(driver.user, answer);
    }
    expect(await boundCoins()).toBe(0n);
  });

  it('executes ten transactions on one object by its id, when each waits for local execution', async () => {
    const { user, car } = await aDriver();
    await lag(700);
    await system.until(async () => (await shownVersion(car)) === String(car.version));
    for (let ride = 0; ride < RIDES; ride++) {
      const application = system.applications[ride % 2]!;
      const reservation = await reserved(application);
      const options = { user, build: drive(car.objectId) };
      const transaction = await buildSponsored(application, reservation, options);
      const requestType = 'waitForLocalExecution';
      const answer = await executeTx(application, reservation, transaction, { requestType });
      expect([answer.status, answer.body.error]).toEqual([200, null]);
    }
    expect(await boundCoins()).toBe(0n);
  });

  it('refuses a version that the fleet knows to be superseded, before the sponsor signs', async () => {
    const { user, car } = await aDriver();
    await lag(30_000);
    await sponsor(system.application, { user, build: drive(car) });
    const { answer, transaction } = await sponsor(system.applications[1]!, {
      user,
      build: drive(car),
    });
    expect([answer.status, answer.body.error]).toEqual([
      400,
      expect.stringContaining('is not available for consumption'),
    ]);
    expect(await system.control.submissionsOf(transaction.digest)).toBe(0);
    expect(await boundCoins()).toBe(0n);
  });

  it.each([
    [1_500, 200],
    [7_000, 503],
  ])(
    'answers a transaction over an object from outside the fleet, %d ms behind, with %d, and executes it in the end',
    async (ms, status) => {
      const user = new Ed25519Keypair();
      await lag(ms);
      const [coin] = await system.control.mint(user.toIotaAddress(), 1_000_000);
      const build = (tx: Transaction) =>
        tx.transferObjects([tx.objectRef({ ...coin! })], user.toIotaAddress());
      const reservation = await reserved(system.application);
      const transaction = await buildSponsored(system.application, reservation, { user, build });
      const { first, last } = await executeUntilDecided(
        system.application,
        reservation,
        transaction,
      );
      expect([first.status, last.status, last.body.error]).toEqual([status, 200, null]);
      if (status === 503) expect(first.headers.get('error-code')).toBe('INPUT_UNDECIDED');
      expect(await boundCoins()).toBe(0n);
    },
  );

  it('refuses an object that does not exist once the node has advanced by ten seconds', async () => {
    const nowhere = { objectId: `0x${'bad'.padStart(64, '0')}`, version: 7 };
    const reference = { ...nowhere, digest: '11111111111111111111111111111112' };
    const build = (tx: Transaction) => tx.transferObjects([tx.objectRef(reference)], '0xb0b');
    const reservation = await reserved(system.application);
    const transaction = await buildSponsored(system.application, reservation, { build });
    const minting = setInterval(() => void system.control.mint('0xb0b', 1), 500);
    const began = performance.now();
    const { first, last } = await executeUntilDecided(
      system.application,
      reservation,
      transaction,
    ).finally(() => clearInterval(minting));
    expect(performance.now() - began).toBeGreaterThan(9_500);
    expect(first.headers.get('error-code')).toBe('INPUT_UNDECIDED');
    expect([last.status, last.body.error]).toEqual([
      400,
      expect.stringContaining('Could not find the referenced object'),
    ]);
    expect(await system.control.submissionsOf(transaction.digest)).toBe(0);
  });
});

async function shownVersion({ objectId }: Reference): Promise<string | undefined> {
  return (await system.ledger.getObject({ id: objectId })).data?.version;
}
