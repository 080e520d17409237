import { describe, expect, it } from '@jest/globals';
import type { TransactionData } from './engine-interface.js';
import { COIN, TestChain } from './test-chain.test-support.js';
import { refusal } from './refusal.test-support.js';

describe('a transaction beyond a limit', () => {
  it('is refused with too many gas coins, and a pure argument that is too large', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const { objectId, version, digest } = alice.coins[0]!;
    const nothing = () => undefined;
    const coins = (count: number) => (data: TransactionData) => {
      const coin = { objectId, version: String(version), digest };
      data.gasData.payment = Array.from({ length: count }, () => coin);
    };
    expect(await refusal(chain, alice, coins(256))).toBe(
      'Size limit exceeded: maximum number of gas payment objects is 256',
    );
    expect(await refusal(chain, alice, coins(255))).toContain('cannot appear more than one');
    expect(
      await refusal(chain, alice, nothing, (tx) => void tx.pure(new Uint8Array(16 * 1024))),
    ).toContain('maximum pure argument size is 16384');
  });

  it('is refused with too many commands', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    expect(
      await refusal(
        chain,
        alice,
        () => undefined,
        (tx) => {
          for (let index = 0; index < 1024; index++) tx.mergeCoins(tx.gas, [tx.gas]);
        },
      ),
    ).toContain('maximum commands in a programmable transaction is 1024');
  });

  it('is refused with too many objects', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const nothing = () => undefined;
    expect(
      await refusal(chain, alice, nothing, (tx) => {
        for (let index = 0; index <= 2048; index++) {
          const id = `0x${index.toString(16).padStart(64, '0')}`;
          tx.sharedObjectRef({ objectId: id, initialSharedVersion: 1, mutable: false });
        }
      }),
    ).toContain('maximum input + receiving objects in a transaction is 2048');
  });

  it('is refused by its size with its signatures', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const large = await refusal(chain, alice, ({ kind }) => {
      const bytes = Buffer.alloc(16_000).toString('base64');
      kind.ProgrammableTransaction!.inputs = Array.from({ length: 9 }, () => ({
        $kind: 'Pure' as const,
        Pure: { bytes },
      }));
    });
    const limit = 'Size limit exceeded: serialized transaction size exceeded maximum of 131072';
    expect(large.slice(0, limit.length)).toBe(limit);
    // 16 003 of each input, 159 of the rest; 98 of the signature, 5 around both.
    expect(large.slice(limit.length)).toBe(` is ${9 * 16_003 + 159 + 98 + 5}`);
  });
});
