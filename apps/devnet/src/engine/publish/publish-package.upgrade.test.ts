import { describe, expect, it } from '@jest/globals';
import type { Transaction, TransactionObjectArgument } from '@iota/iota-sdk/transactions';
import { type Account, COIN, TestChain } from '../test-chain.test-support.js';
import { moduleBytes } from './module-bytes.test-support.js';

const DEPENDENCIES = ['0x1', '0x2'];
const modules = (...names: string[]) => names.map((name) => [...moduleBytes(name)]);

interface Published {
  readonly chain: TestChain;
  readonly author: Account;
  readonly packageId: string;
  readonly capId: string;
}

async function publish(): Promise<Published> {
  const chain = new TestChain();
  const author = await chain.account(COIN);
  const { objectChanges } = await chain.run(author, (tx) => {
    const cap = tx.publish({ modules: modules('alpha'), dependencies: DEPENDENCIES });
    tx.transferObjects([cap], author.address);
  });
  const { packageId } = objectChanges.find((one) => one.type === 'published')!;
  const cap = objectChanges.find((one) => one.type === 'created')!;
  return { chain, author, packageId, capId: cap.objectId };
}

function authorize(tx: Transaction, cap: TransactionObjectArgument, policy = 0) {
  return tx.moveCall({
    target: '0x2::package::authorize_upgrade',
    arguments: [cap, tx.pure.u8(policy), tx.pure.vector('u8', [])],
  });
}

describe('upgrade commands', () => {
  async function upgrade(
    { chain, author, packageId, capId }: Published,
    change: { readonly package?: string; readonly modules?: number[][]; readonly commit?: boolean },
  ) {
    return chain.run(author, (tx) => {
      const cap = chain.input(tx, { objectId: capId });
      const ticket = authorize(tx, cap);
      const receipt = tx.upgrade({
        modules: change.modules ?? modules('alpha', 'beta'),
        dependencies: DEPENDENCIES,
        package: change.package ?? packageId,
        ticket,
      });
      if (change.commit === false) return;
      tx.moveCall({ target: '0x2::package::commit_upgrade', arguments: [cap, receipt] });
    });
  }

  it('create the next version under a new id and count it in the capability', async () => {
    const published = await publish();
    const { chain, packageId, capId } = published;
    const { effects, objectChanges } = await upgrade(published, {});
    expect(effects.status).toEqual({ status: 'success' });
    const next = objectChanges.find((one) => one.type === 'published')!;
    expect(next).toMatchObject({ version: 2, modules: ['alpha', 'beta'] });
    expect(next.packageId).not.toBe(packageId);
    expect(chain.object(capId).fields).toMatchObject({ package: next.packageId, version: '2' });
    expect(chain.engine.getModuleNames(packageId)).toEqual(['alpha']);
    const again = await upgrade({ ...published, packageId: next.packageId }, {});
    expect(again.objectChanges).toContainEqual(
      expect.objectContaining({ type: 'published', version: 3 }),
    );
  });

  it.each([
    ['another package', { package: '0x2' }, 'PackageIDDoesNotMatch'],
    ['a missing module', { modules: modules('beta') }, 'IncompatibleUpgrade'],
    ['a receipt without a commit', { commit: false }, 'UnusedValueWithoutDrop'],
  ])('fail for %s, and charge gas', async (_what, change, error) => {
    const published = await publish();
    const { effects } = await upgrade(published, change);
    expect(effects.status).toMatchObject({ error: expect.stringContaining(error) });
    expect(published.chain.object(published.capId).fields).toMatchObject({ version: '1' });
  });

  it.each<[string, RegExp, (tx: Transaction, cap: TransactionObjectArgument) => void]>([
    [
      'a second ticket',
      /MoveAbort.*, 2\) in command 1/,
      (tx, cap) => {
        authorize(tx, cap);
        authorize(tx, cap);
      },
    ],
    [
      'a policy that allows more than the capability does',
      /MoveAbort.*, 1\) in command 1/,
      (tx, cap) => {
        tx.moveCall({ target: '0x2::package::only_additive_upgrades', arguments: [cap] });
        authorize(tx, cap, 0);
      },
    ],
    ['an unused ticket', /UnusedValueWithoutDrop/, (tx, cap) => void authorize(tx, cap)],
  ])('fail for %s', async (_what, error, fill) => {
    const { chain, author, capId } = await publish();
    const { effects } = await chain.run(author, (tx) =>
      fill(tx, chain.input(tx, { objectId: capId })),
    );
    expect(effects.status).toMatchObject({ error: expect.stringMatching(error) });
  });

  it('fail without a ticket', async () => {
    const { chain, author, packageId } = await publish();
    const { effects } = await chain.run(author, (tx) => {
      tx.upgrade({
        modules: modules('alpha'),
        dependencies: DEPENDENCIES,
        package: packageId,
        ticket: tx.gas,
      });
    });
    expect(effects.status).toMatchObject({ error: expect.stringContaining('TypeMismatch') });
  });
});

describe('publishing a package', () => {
  it('fails as too big above 100 KiB', async () => {
    const chain = new TestChain();
    const author = await chain.account(COIN);
    const large = [...moduleBytes('alpha'), ...new Uint8Array(100 * 1024)];
    const { effects } = await chain.run(
      author,
      (tx) => {
        const cap = tx.publish({ modules: [large], dependencies: DEPENDENCIES });
        tx.transferObjects([cap], author.address);
      },
      { budget: 5_000_000_000n },
    );
    expect(effects.status).toMatchObject({ error: expect.stringContaining('MovePackageTooBig') });
  });
});
