import { describe, expect, it } from '@jest/globals';
import type { Transaction, TransactionArgument } from '@iota/iota-sdk/transactions';
import { IOTA_TYPE } from './test-chain.test-support.js';
import { failure, start } from './program-failure.test-support.js';

const BOB = `0x${'b'.repeat(64)}`;

const raise = (tx: Transaction, price: TransactionArgument, by = 400n) =>
  tx.moveCall({ target: '0xdec0::garage::raise', arguments: [price, tx.pure.u64(by)] });
const mint = (tx: Transaction, amount: TransactionArgument) =>
  tx.moveCall({ target: '0xdec0::token::mint', arguments: [amount, tx.pure.address(BOB)] });

describe('a pure input that a call lends as a mutable reference', () => {
  it('keeps the new value for later commands, and no other input has it', async () => {
    const { chain, alice } = await start();
    const { effects } = await chain.run(alice, (tx) => {
      const amount = tx.pure.u64(100n);
      const other = tx.pure(Uint8Array.from([100, 0, 0, 0, 0, 0, 0, 0]));
      mint(tx, amount);
      raise(tx, amount);
      raise(tx, amount, 30n);
      mint(tx, amount);
      mint(tx, other);
    });
    expect(effects.status).toEqual({ status: 'success' });
    const minted = effects.created.map(({ reference }) => chain.object(reference.objectId));
    expect(minted.map(({ coin }) => coin?.balance).sort()).toEqual([100n, 100n, 530n]);
  });

  it('is a vector or a text that grows', async () => {
    const { chain, alice } = await start();
    const { effects } = await chain.run(alice, (tx) => {
      const amounts = tx.pure.vector('u64', [5n]);
      const model = tx.pure.string('Road');
      tx.moveCall({
        target: '0x1::vector::push_back',
        typeArguments: ['u64'],
        arguments: [amounts, tx.pure.u64(7n)],
      });
      tx.moveCall({ target: '0x1::string::append', arguments: [model, tx.pure.string('ster')] });
      tx.moveCall({
        target: '0x2::pay::split_vec',
        typeArguments: [IOTA_TYPE],
        arguments: [chain.input(tx, alice.coins[1]!), amounts],
      });
      tx.moveCall({
        target: '0xdec0::garage::build_car',
        arguments: [model, tx.pure.address(BOB)],
      });
    });
    expect(effects.status).toEqual({ status: 'success' });
    const made = effects.created.map(({ reference }) => chain.object(reference.objectId));
    expect(made.flatMap(({ coin }) => coin?.balance ?? []).sort()).toEqual([5n, 7n]);
    expect(made.find(({ coin }) => !coin)?.fields).toMatchObject({ model: 'Roadster' });
  });

  it('has that type from then on, and cannot be lent and given in one call', async () => {
    const { chain, alice } = await start();
    const as = (use: (tx: Transaction, price: TransactionArgument) => void) =>
      failure(chain, alice, (tx) => {
        const price = tx.pure.u64(1n);
        use(tx, price);
      });
    const asByte = await as((tx, price) => {
      raise(tx, price);
      tx.moveCall({
        target: '0x1::vector::push_back',
        typeArguments: ['u8'],
        arguments: [tx.pure.vector('u8', []), price],
      });
    });
    expect(asByte).toBe('CommandArgumentError { arg_idx: 1, kind: TypeMismatch } in command 1');
    const twice = await as((tx, price) => {
      tx.moveCall({ target: '0xdec0::garage::raise', arguments: [price, price] });
    });
    expect(twice).toBe('CommandArgumentError { arg_idx: 1, kind: InvalidValueUsage } in command 0');
  });
});
