import { describe, expect, it } from '@jest/globals';
import type { Transaction } from '@iota/iota-sdk/transactions';
import { type Account, COIN, TestChain } from './test-chain.test-support.js';
import { refusal } from './refusal.test-support.js';

const NOWHERE = `0x${'9'.repeat(64)}`;

describe('inputs and packages that validators refuse', () => {
  const OTHER = `0x${'7'.repeat(64)}`;
  const full = (digits: string) => `0x${digits.padStart(64, '0')}`;

  function upgrade(tx: Transaction, upgraded: string, dependency: string): void {
    const ticket = tx.moveCall({ target: '0x2::package::authorize_upgrade' });
    tx.upgrade({ modules: [[1]], dependencies: [dependency], package: upgraded, ticket });
  }

  async function refusalOver(
    fill: (tx: Transaction, chain: TestChain, alice: Account) => void,
  ): Promise<string> {
    const chain = new TestChain();
    const alice = await chain.account(COIN, COIN);
    const nothing = () => undefined;
    const message = await refusal(chain, alice, nothing, (tx) => fill(tx, chain, alice));
    return message.replaceAll(alice.coins[1]!.objectId, 'COIN');
  }

  it.each<[string, string, Parameters<typeof refusalOver>[0]]>([
    [
      'a package as an owned input',
      `A move object is expected, instead a move package is passed: ${full('2')}`,
      (tx, chain) => void chain.input(tx, { objectId: full('2') }),
    ],
    [
      'a call to an object',
      'A move package is expected, instead a move object is passed: COIN',
      (tx, _chain, alice) => void tx.moveCall({ target: `${alice.coins[1]!.objectId}::m::f` }),
    ],
    [
      'a type of a package that does not exist',
      `Dependent package not found on-chain: ${NOWHERE}`,
      (tx) => void tx.makeMoveVec({ type: `vector<${NOWHERE}::m::T>`, elements: [] }),
    ],
    [
      'a type argument of a package that does not exist',
      `Dependent package not found on-chain: ${NOWHERE}`,
      (tx) =>
        void tx.moveCall({
          target: '0x2::coin::zero',
          typeArguments: [`0x2::a::A<${NOWHERE}::m::T>`],
        }),
    ],
    [
      'a dependency that does not exist',
      `Dependent package not found on-chain: ${NOWHERE}`,
      (tx) => void tx.publish({ modules: [[1]], dependencies: ['0x1', NOWHERE] }),
    ],
    [
      'a call to a package that does not exist',
      `Dependent package not found on-chain: ${NOWHERE}`,
      (tx) => void tx.moveCall({ target: `${NOWHERE}::m::f` }),
    ],
    [
      'an upgrade of a package that does not exist',
      `Dependent package not found on-chain: ${NOWHERE}`,
      (tx) => upgrade(tx, NOWHERE, '0x1'),
    ],
    [
      'a dependency of an upgrade that does not exist',
      `Dependent package not found on-chain: ${NOWHERE}`,
      (tx) => upgrade(tx, '0x2', NOWHERE),
    ],
    [
      'a received object that does not exist',
      `Could not find the referenced object ${OTHER} at version Some(SequenceNumber(3))`,
      (tx, chain, alice) => {
        const { digest } = chain.object(alice.coins[1]!.objectId);
        tx.receivingRef({ objectId: OTHER, version: 3, digest });
      },
    ],
    [
      'a received package',
      `A move object is expected, instead a move package is passed: ${full('2')}`,
      (tx, chain) => void tx.receivingRef(chain.object(full('2')).reference),
    ],
    [
      'a received object that is shared',
      'Object used as shared is not shared',
      (tx, chain) => void tx.receivingRef(chain.object(chain.engine.demo.counterId).reference),
    ],
  ])('are reported for %s', async (_what, expected, fill) => {
    expect(await refusalOver(fill)).toBe(expected);
  });

  it('an input that appears twice, as owned and as received', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN, COIN);
    const coin = alice.coins[1]!;
    const twice = await refusal(
      chain,
      alice,
      ({ kind }) => {
        const { inputs } = kind.ProgrammableTransaction!;
        const { ImmOrOwnedObject: reference } = inputs[0]!.Object!;
        inputs.push({
          $kind: 'Object',
          Object: { $kind: 'Receiving', Receiving: reference! },
        });
      },
      (tx) => void chain.input(tx, coin),
    );
    expect(twice).toBe("The transaction inputs contain duplicated ObjectRef's");
  });

  it('exclude a received object of an address: only Move checks its parent', async () => {
    const chain = new TestChain();
    const [alice, bob] = [await chain.account(COIN), await chain.account(COIN)];
    for (let round = 0; round < 3; round++) await chain.run(bob, () => undefined);
    const before = chain.object(bob.coins[0]!.objectId).reference;
    const { effects } = await chain.run(alice, (tx) => void tx.receivingRef(before));
    expect(effects.status.status).toBe('success');
    // Every written object gets a version above that of every input, received ones included.
    expect(effects.lamportVersion).toBe(before.version + 1);
    expect(chain.object(before.objectId).reference).toEqual(before);
    const used = await chain.run(alice, (tx) => {
      tx.transferObjects([tx.receivingRef(before)], alice.address);
    });
    expect(used.effects.status.status).toBe('failure');
    expect(chain.object(before.objectId).reference).toEqual(before);
  });
});
