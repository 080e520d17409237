import { describe, expect, it } from '@jest/globals';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import type { Transaction } from '@iota/iota-sdk/transactions';
import type { Argument } from './transaction-data.js';
import { COIN, IOTA_TYPE, TestChain, type Account } from './test-chain.test-support.js';
import { failure, start } from './program-failure.test-support.js';

const BOB = `0x${'b'.repeat(64)}`;
const COIN_TYPE = `0x2::coin::Coin<${IOTA_TYPE}>`;

/** An argument that the builder cannot create. */
function returning(argument: Argument) {
  return () => argument;
}

describe('commands', () => {
  it('merge coins and delete the sources', async () => {
    const { chain, alice } = await start();
    const [, one, two] = alice.coins;
    const { effects } = await chain.run(alice, (tx) =>
      tx.mergeCoins(chain.input(tx, one!), [chain.input(tx, two!)]),
    );
    expect(chain.object(one!.objectId).coin?.balance).toBe(1500n);
    expect(effects.deleted).toMatchObject([
      {
        objectId: two!.objectId,
        version: effects.lamportVersion,
        digest: '7gyGAp71YXQRoxmFBaHxofQXAipvgHyBKPyxmdSJxyvz',
      },
    ]);
  });

  it('pass on results and vectors of objects and of values', async () => {
    const { chain, alice } = await start();
    const error = await failure(chain, alice, (tx) => {
      const amounts = tx.makeMoveVec({ type: 'u64', elements: [tx.pure.u64(10), tx.pure.u64(20)] });
      const coin = chain.input(tx, alice.coins[1]!);
      tx.moveCall({
        target: '0x2::pay::split_vec',
        typeArguments: [IOTA_TYPE],
        arguments: [coin, amounts],
      });
      const parts = tx.splitCoins(coin, [1n, 2n, 3n]);
      const vector = tx.makeMoveVec({ type: COIN_TYPE, elements: [parts[0], parts[1]] });
      tx.moveCall({
        target: '0x2::pay::join_vec',
        typeArguments: [IOTA_TYPE],
        arguments: [coin, vector],
      });
      tx.transferObjects([parts[2]], BOB);
    });
    expect(error).toBeNull();
    expect(chain.balance(BOB)).toBe(3n);
    expect(chain.object(alice.coins[1]!.objectId).coin?.balance).toBe(1000n - 33n);
    expect(chain.engine.getBalance(alice.address, IOTA_TYPE).coinObjectCount).toBe(5);
  });

  it.each<[string, string, (tx: Transaction, chain: TestChain, alice: Account) => void]>([
    [
      'a value used twice',
      'CommandArgumentError { arg_idx: 0, kind: InvalidValueUsage } in command 2',
      (tx) => {
        const part = tx.splitCoins(tx.gas, [1n])[0];
        tx.transferObjects([part], BOB);
        tx.transferObjects([part], BOB);
      },
    ],
    [
      'a coin merged into itself',
      'CommandArgumentError { arg_idx: 1, kind: InvalidValueUsage } in command 0',
      (tx, chain, { coins }) => {
        const coin = chain.input(tx, coins[1]!);
        tx.mergeCoins(coin, [coin]);
      },
    ],
    [
      'the gas coin merged away',
      'CommandArgumentError { arg_idx: 1, kind: InvalidGasCoinUsage } in command 0',
      (tx, chain, { coins }) => tx.mergeCoins(chain.input(tx, coins[1]!), [tx.gas]),
    ],
    [
      'an object where a number belongs',
      'CommandArgumentError { arg_idx: 1, kind: TypeMismatch } in command 0',
      (tx, chain, { coins }) => tx.splitCoins(tx.gas, [chain.input(tx, coins[1]!)]),
    ],
    [
      'an invalid number',
      'CommandArgumentError { arg_idx: 1, kind: InvalidBCSBytes } in command 0',
      (tx) => tx.splitCoins(tx.gas, [tx.pure.u32(1)]),
    ],
    [
      'a pure value where an object belongs',
      'CommandArgumentError { arg_idx: 0, kind: InvalidUsageOfPureArg } in command 0',
      (tx) => {
        const pure = tx.pure.u64(1);
        tx.moveCall({ target: '0x2::coin::value', typeArguments: [IOTA_TYPE], arguments: [pure] });
      },
    ],
    [
      'an input that is not there',
      'CommandArgumentError { arg_idx: 0, kind: IndexOutOfBounds { idx: 9 } } in command 0',
      (tx) => tx.transferObjects([returning({ $kind: 'Input', Input: 9 })], BOB),
    ],
    [
      'a result that is not there',
      'CommandArgumentError { arg_idx: 0, kind: IndexOutOfBounds { idx: 3 } } in command 0',
      (tx) => tx.transferObjects([returning({ $kind: 'Result', Result: 3 })], BOB),
    ],
    [
      'one of two results left unnamed',
      'CommandArgumentError { arg_idx: 0, kind: InvalidResultArity { result_idx: 0 } } in command 1',
      (tx) => {
        tx.splitCoins(tx.gas, [1n, 2n]);
        tx.transferObjects([returning({ $kind: 'Result', Result: 0 })], BOB);
      },
    ],
    [
      'a position that a result does not have',
      'CommandArgumentError { arg_idx: 0, kind: SecondaryIndexOutOfBounds { result_idx: 0, secondary_idx: 2 } } in command 1',
      (tx) => {
        tx.splitCoins(tx.gas, [1n, 2n]);
        tx.transferObjects([returning({ $kind: 'NestedResult', NestedResult: [0, 2] })], BOB);
      },
    ],
    [
      'a coin left over',
      'UnusedValueWithoutDrop { result_idx: 0, secondary_idx: 1 }',
      (tx) => {
        const parts = tx.splitCoins(tx.gas, [1n, 2n]);
        tx.transferObjects([parts[0]], BOB);
      },
    ],
    [
      'more than the coin holds',
      'InsufficientCoinBalance in command 0',
      (tx, chain, { coins }) => tx.splitCoins(chain.input(tx, coins[2]!), [501n]),
    ],
    [
      'coins of two types',
      'CommandArgumentError { arg_idx: 1, kind: TypeMismatch } in command 1',
      (tx) => {
        const zero = tx.moveCall({
          target: '0x2::coin::zero',
          typeArguments: ['0xdec0::token::TOKEN'],
        });
        tx.mergeCoins(tx.gas, [zero]);
      },
    ],
    [
      'a function that does not exist',
      'FunctionNotFound in command 0',
      (tx) => tx.moveCall({ target: '0x2::coin::nothing' }),
    ],
    [
      'a function of the standard library that is not built in',
      'VMVerificationOrDeserializationError in command 0',
      (tx) => tx.moveCall({ target: '0x1::u64::sqrt', arguments: [tx.pure.u64(64)] }),
    ],
    [
      'too few arguments',
      'ArityMismatch in command 0',
      (tx) => tx.moveCall({ target: '0x2::coin::value', typeArguments: [IOTA_TYPE] }),
    ],
    [
      'too few type arguments',
      'VMVerificationOrDeserializationError in command 0',
      (tx) => tx.moveCall({ target: '0x2::coin::value' }),
    ],
  ])('fail on %s', async (_, expected, fill) => {
    const { chain, alice } = await start();
    expect(await failure(chain, alice, (tx) => fill(tx, chain, alice))).toBe(expected);
    expect(chain.balance(BOB)).toBe(0n);
    expect(chain.balance(alice.address)).toBe(COIN + 1500n - 1_000_000n);
  });

  it('fail when the balance of a coin would exceed u64', async () => {
    const keypair = new Ed25519Keypair();
    const address = keypair.toIotaAddress();
    const funds = [COIN, 2n ** 64n - 6n].map((amount) => ({ owner: address, amount }));
    const chain = new TestChain({ genesisFunds: funds });
    const held = chain.engine.listCoins(address, IOTA_TYPE, { limit: 2 }).data;
    const coins = held.toSorted((a, b) => (a.coin!.balance < b.coin!.balance ? -1 : 1));
    const alice = { keypair, address, coins };
    expect(
      await failure(chain, alice, (tx) => {
        const parts = tx.splitCoins(tx.gas, [6n]);
        tx.mergeCoins(chain.input(tx, alice.coins[1]!), [parts[0]]);
      }),
    ).toBe('CoinBalanceOverflow in command 1');
  });
});
