import { describe, expect, it } from '@jest/globals';
import type { TransactionData } from './engine-interface.js';
import { COIN, sign, TestChain } from './test-chain.test-support.js';
import { refusal } from './refusal.test-support.js';

const NOWHERE = `0x${'9'.repeat(64)}`;

describe('refusal of a transaction', () => {
  it('names both versions of an outdated object', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    for (let round = 0; round < 10; round++) await chain.run(alice, () => undefined);
    const { objectId, version, digest } = alice.coins[0]!;
    expect(
      await refusal(chain, alice, ({ gasData }) => {
        gasData.payment = [{ objectId, version: String(version), digest }];
        gasData.budget = '7000000';
      }),
    ).toBe(
      `Object (${objectId}, SequenceNumber(${version}), o#${digest}) is not available for consumption, ` +
        `its current version: SequenceNumber(${version + 10})`,
    );
  });

  it('reports a wrong object digest', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN, COIN);
    const [gas, other] = alice.coins;
    expect(
      await refusal(chain, alice, ({ gasData }) => {
        gasData.payment[0]!.digest = other!.digest;
      }),
    ).toBe(`Invalid Object digest for object ${gas!.objectId}. Expected digest : o#${gas!.digest}`);
  });

  it('names the first object that does not exist', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const missing = { objectId: NOWHERE, version: '7', digest: alice.coins[0]!.digest };
    const message = await refusal(
      chain,
      alice,
      ({ gasData }) => void (gasData.payment = [missing]),
      (tx) =>
        tx.sharedObjectRef({
          objectId: `0x${'8'.repeat(64)}`,
          initialSharedVersion: 1,
          mutable: true,
        }),
    );
    expect(message).toBe(
      `Could not find the referenced object 0x${'8'.repeat(64)} at version None`,
    );
  });

  it('names the version of an object only where the ledger knows another', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const { objectId, version, digest } = alice.coins[0]!;
    const pay = (id: string, paidVersion: number) =>
      refusal(chain, alice, ({ gasData }) => {
        gasData.payment = [{ objectId: id, version: String(paidVersion), digest }];
      });
    expect(await pay(NOWHERE, 7)).toBe(
      `Could not find the referenced object ${NOWHERE} at version None`,
    );
    expect(await pay(objectId, version + 5)).toBe(
      `Could not find the referenced object ${objectId} at version Some(SequenceNumber(${version + 5}))`,
    );
  });

  it('reports objects of another owner, as gas and as input', async () => {
    const chain = new TestChain();
    const [alice, bob] = [await chain.account(COIN), await chain.account(COIN)];
    const coin = bob.coins[0]!;
    const text =
      `Transaction was not signed by the correct sender: Object ${coin.objectId} is owned by account address ` +
      `${bob.address}, but given owner/signer address is ${alice.address}`;
    const { objectId, version, digest } = coin;
    const asGas = await refusal(chain, alice, ({ gasData }) => {
      gasData.payment = [{ objectId, version: String(version), digest }];
    });
    expect(asGas).toBe(text);
    const poor = (await chain.account(3n)).coins[0]!;
    const asPoorGas = await refusal(chain, alice, ({ gasData }) => {
      gasData.payment = [{ ...poor.reference, version: String(poor.version) }];
    });
    expect(asPoorGas).toBe('Balance of gas object 3 is lower than the needed amount: 50000000');
    const nothing = () => undefined;
    expect(await refusal(chain, alice, nothing, (tx) => void chain.input(tx, coin))).toBe(text);
  });

  it('reports an object that appears twice', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN, COIN);
    const [gas] = alice.coins;
    const text = `Mutable object ${gas!.objectId} cannot appear more than one in one transaction`;
    expect(
      await refusal(chain, alice, ({ gasData }) => void gasData.payment.push(gasData.payment[0]!)),
    ).toBe(text);
    const nothing = () => undefined;
    expect(await refusal(chain, alice, nothing, (tx) => void chain.input(tx, gas!))).toBe(text);
  });

  it('reports its gas price, its budget or the balance of its gas coins', async () => {
    const chain = new TestChain();
    const alice = await chain.account(60_000_000n);
    const change = (price: bigint, budget: bigint) =>
      refusal(chain, alice, ({ gasData }) => {
        gasData.price = String(price);
        gasData.budget = String(budget);
      });
    expect(await change(999n, 5_000_000n)).toBe(
      'Gas price 999 under reference gas price (RGP) 1000',
    );
    expect(await change(100_001n, 5_000_000_000n)).toBe('Gas price cannot exceed 100000 nanos');
    expect(await change(100_000n, 5_000_000_000n)).toMatch(/^Balance of gas object/);
    expect(await change(1000n, 50_000_000_001n)).toBe(
      'Gas budget: 50000000001 is higher than max: 50000000000',
    );
    expect(await change(1000n, 999_999n)).toBe('Gas budget: 999999 is lower than min: 1000000');
    expect(await change(1000n, 60_000_001n)).toBe(
      'Balance of gas object 60000000 is lower than the needed amount: 60000001',
    );
    chain.engine.setReferenceGasPrice(2000n);
    expect(await change(1000n, 5_000_000n)).toContain('(RGP) 2000');
  });

  it('reports missing gas and gas that is not a gas coin', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    expect(await refusal(chain, alice, ({ gasData }) => void (gasData.payment = []))).toBe(
      'Transaction gas payment missing',
    );
    const { effects } = await chain.run(alice, (tx) => {
      tx.moveCall({
        target: `${chain.engine.demo.packageId}::token::mint`,
        arguments: [tx.pure.u64(COIN), tx.pure.address(alice.address)],
      });
    });
    const token = effects.created[0]!.reference;
    expect(
      await refusal(chain, alice, ({ gasData }) => {
        gasData.payment = [{ ...token, version: String(token.version) }];
      }),
    ).toBe(`Object ${token.objectId} is not a gas object`);
  });

  it('applies after its expiration epoch', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    chain.engine.advanceEpoch();
    const expiring = (epoch: number) => (data: TransactionData) => {
      data.expiration = { $kind: 'Epoch', Epoch: epoch };
    };
    expect(await refusal(chain, alice, expiring(0))).toBe('Transaction Expired');
    await expect(refusal(chain, alice, expiring(1))).rejects.toThrow('it was not refused');
  });

  it('reports a shared object used as owned, a mutable clock or a wrong initial version', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const { counterId } = chain.engine.demo;
    const nothing = () => undefined;
    expect(
      await refusal(chain, alice, nothing, (tx) => void chain.input(tx, { objectId: counterId })),
    ).toBe('Object used as shared is not shared');
    const shared = (objectId: string, initialSharedVersion: number, mutable: boolean) =>
      refusal(
        chain,
        alice,
        nothing,
        (tx) => void tx.sharedObjectRef({ objectId, initialSharedVersion, mutable }),
      );
    expect(await shared(counterId, 2, true)).toBe('Wrong initial version given for shared object');
    expect(await shared(alice.coins[0]!.objectId, 1, true)).toMatch(/not shared|more than one/);
    expect(await shared('0x6', 1, true)).toBe(
      'Mutable parameter provided, immutable parameter expected',
    );
  });
});

describe('bytes that are not a transaction', () => {
  it('are refused with -32602: truncated, extended, padded or a system transaction', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const bytes = await chain.build((tx) => void tx.pure.u8(1), {
      sender: alice.address,
      gas: alice.coins,
    });
    // The number of inputs (1), written in two bytes.
    const padded = Buffer.concat([bytes.subarray(0, 2), Buffer.of(0x81, 0), bytes.subarray(3)]);
    const genesis = chain.engine.listTransactions({ limit: 1 })[0]!.bytes;
    const pooled = Buffer.concat([bytes, bytes]).subarray(0, bytes.length - 1);
    const wrong = [
      new Uint8Array(0),
      bytes.subarray(0, bytes.length - 1),
      pooled,
      Buffer.concat([bytes, Buffer.of(0)]),
      padded,
      genesis,
    ];
    for (const each of wrong) {
      await expect(
        chain.engine.submit(each, [await sign(alice.keypair, each)]),
      ).rejects.toMatchObject({ code: -32602 });
    }
    await chain.engine.submit(bytes, [await sign(alice.keypair, bytes)]);
  });
});
