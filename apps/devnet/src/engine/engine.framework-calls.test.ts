import { describe, expect, it } from '@jest/globals';
import type { Transaction } from '@iota/iota-sdk/transactions';
import { IOTA_TYPE } from './test-chain.test-support.js';
import { failure, start } from './program-failure.test-support.js';

const BOB = `0x${'b'.repeat(64)}`;

describe('framework calls', () => {
  it('abort like the framework', async () => {
    const { chain, alice } = await start();
    const error = await failure(chain, alice, (tx) => {
      tx.moveCall({
        target: '0x2::pay::split',
        typeArguments: [IOTA_TYPE],
        arguments: [chain.input(tx, alice.coins[2]!), tx.pure.u64(501)],
      });
    });
    expect(error).toBe(
      `MoveAbort(MoveLocation { module: ModuleId { address: ${'2'.padStart(64, '0')}, name: Identifier("balance") }, ` +
        'function: 7, instruction: 0, function_name: Some("split") }, 2) in command 0',
    );
  });

  it('split a coin into n, keep the remainder and join coins', async () => {
    const { chain, alice } = await start();
    const [, one, two] = alice.coins;
    const pay = (
      tx: Transaction,
      name: string,
      args: Parameters<typeof tx.moveCall>[0]['arguments'],
    ) => tx.moveCall({ target: `0x2::pay::${name}`, typeArguments: [IOTA_TYPE], arguments: args! });
    const executed = await chain.run(alice, (tx) => {
      const coin = chain.input(tx, one!);
      pay(tx, 'divide_and_keep', [coin, tx.pure.u64(3)]);
      pay(tx, 'split_and_transfer', [coin, tx.pure.u64(34), tx.pure.address(BOB)]);
      pay(tx, 'join', [coin, chain.input(tx, two!)]);
    });
    expect(executed.effects.status).toEqual({ status: 'success' });
    expect(chain.object(one!.objectId).coin?.balance).toBe(1000n - 666n - 34n + 500n);
    expect(executed.effects.created).toHaveLength(3);
    expect(chain.balance(BOB)).toBe(34n);
  });

  it('read the clock, which shows the current time', async () => {
    const { chain, alice } = await start();
    const read = async () => {
      const executed = await chain.run(alice, (tx) => {
        const clock = tx.sharedObjectRef({
          objectId: '0x6',
          initialSharedVersion: 1,
          mutable: false,
        });
        tx.moveCall({ target: '0x2::clock::timestamp_ms', arguments: [clock] });
      });
      const [shared] = executed.effects.sharedObjects;
      expect(executed.effects.mutated).toHaveLength(1);
      return { shared: shared!, fields: chain.object('0x6').fields };
    };
    const before = await read();
    chain.time += 5000;
    const after = await read();
    expect(after.fields).toMatchObject({ timestamp_ms: String(chain.time) });
    expect(after.shared.version).toBe(before.shared.version + 1);
  });
});
