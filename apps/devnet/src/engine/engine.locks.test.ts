import { describe, expect, it } from '@jest/globals';
import { Secp256k1Keypair } from '@iota/iota-sdk/keypairs/secp256k1';
import { MultiSigPublicKey } from '@iota/iota-sdk/multisig';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import type { AcceptedTransaction } from './engine-interface.js';
import { COIN, refusalOf, sign, TestChain, type Account } from './test-chain.test-support.js';

async function accept(chain: TestChain, account: Account, note: bigint) {
  const bytes = await chain.build((tx) => void tx.pure.u64(note), {
    sender: account.address,
    gas: account.coins.slice(0, 1),
  });
  const signatures = [await sign(account.keypair, bytes)];
  const attempt = chain.engine.accept(bytes, signatures).then((acceptance): AcceptedTransaction => {
    if (acceptance.kind !== 'accepted') throw new Error('already executed');
    return acceptance.accepted;
  });
  return { bytes, signatures, attempt };
}

describe('locks', () => {
  it('refuse a second transaction on the same version and name the first', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const first = await (await accept(chain, alice, 1n)).attempt;
    const second = await accept(chain, alice, 2n);

    expect(await refusalOf(second.attempt)).toBe(
      'Failed to sign transaction by a quorum of validators because one or more of its objects is ' +
        'reserved for another transaction. Other transactions locking these objects:\n' +
        `- ${first.digest} (stake 100.0)`,
    );
    expect(chain.engine.lockedBy(alice.coins[0]!.objectId)).toBe(first.digest);
    chain.engine.execute(first);
    expect(chain.engine.lockedBy(alice.coins[0]!.objectId)).toBeNull();
    await (
      await accept(chain, alice, 3n)
    ).attempt;
  });

  it('are released when the last caller abandons the transaction', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const first = await accept(chain, alice, 1n);
    const held = await first.attempt;
    await chain.engine.accept(first.bytes, first.signatures);
    chain.engine.abandon(held);
    expect(chain.engine.lockedBy(alice.coins[0]!.objectId)).toBe(held.digest);
    chain.engine.abandon(held);
    expect(chain.engine.lockedBy(alice.coins[0]!.objectId)).toBeNull();
    const second = await (await accept(chain, alice, 2n)).attempt;
    expect(chain.engine.execute(second).effects.status.status).toBe('success');
    expect(() => chain.engine.execute(held)).toThrow(/is not available for consumption/);
  });

  it('end with the epoch; a transaction accepted before executes if its inputs have not changed', async () => {
    const chain = new TestChain();
    const [alice, bob] = [await chain.account(COIN), await chain.account(COIN)];
    const alices = await (await accept(chain, alice, 1n)).attempt;
    const bobs = await (await accept(chain, bob, 1n)).attempt;
    expect(chain.engine.advanceEpoch()).toBe(1n);
    const other = await (await accept(chain, alice, 2n)).attempt;
    expect(() => chain.engine.execute(alices)).toThrow(/reserved for another transaction/);
    chain.engine.execute(other);
    expect(() => chain.engine.execute(alices)).toThrow(/is not available for consumption/);
    expect(chain.engine.execute(bobs).effects.executedEpoch).toBe(1n);
  });

  it('hold for an unknown transaction until the epoch ends', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    chain.engine.lockObject(alice.coins[0]!.objectId, 'stranger');
    expect(await refusalOf((await accept(chain, alice, 1n)).attempt)).toMatch(
      /equivocated until the next epoch\. .*\n- stranger/,
    );
    chain.engine.advanceEpoch();
    await (
      await accept(chain, alice, 1n)
    ).attempt;
  });
});

describe('resubmitting a transaction', () => {
  it('returns the same result, before and after execution', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const { bytes, signatures, attempt } = await accept(chain, alice, 1n);
    await attempt;
    const results = await Promise.all([1, 2, 3].map(() => chain.engine.submit(bytes, signatures)));
    expect(new Set(results).size).toBe(1);
    expect(await chain.engine.submit(bytes, signatures)).toBe(results[0]);
    expect(chain.engine.execute(await attempt)).toBe(results[0]);
  });

  it('is refused with different valid signatures', async () => {
    const chain = new TestChain();
    const keys = [new Ed25519Keypair(), new Secp256k1Keypair()];
    const either = MultiSigPublicKey.fromPublicKeys({
      threshold: 1,
      publicKeys: keys.map((key) => ({ publicKey: key.getPublicKey(), weight: 1 })),
    });
    const sender = either.toIotaAddress();
    const { coins } = await chain.engine.mint(sender, [COIN]);
    const bytes = await chain.build(() => undefined, { sender, gas: coins });
    const [one, other] = await Promise.all(
      keys.map(async (key) => either.combinePartialSignatures([await sign(key, bytes)])),
    );
    await chain.engine.submit(bytes, [one!]);
    expect(await refusalOf(chain.engine.submit(bytes, [other!]))).toBe(
      'The transaction is already finalized but with different user signatures',
    );
  });
});

describe('locks of a part of the validators', () => {
  const SPLIT_MS = 50;

  it('block all objects of two transactions that reach half of the validators each until the epoch ends', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN, COIN, COIN);
    const [object, gasOne, gasTwo] = alice.coins;
    const submit = async (gas: typeof object) => {
      const bytes = await chain.build(
        (tx) => tx.transferObjects([tx.objectRef(object!)], alice.address),
        { sender: alice.address, gas: [gas!] },
      );
      const signatures = [await sign(alice.keypair, bytes)];
      return refusalOf(chain.engine.accept(bytes, signatures, SPLIT_MS));
    };
    const refusals = await Promise.all([submit(gasOne), submit(gasTwo)]);
    for (const refusal of refusals) {
      expect(refusal).toMatch(/equivocated until the next epoch.*\n- \w+ \(stake 50\.0\)$/s);
    }
    expect(chain.engine.lockedBy(gasOne!.objectId)).not.toBeNull();
    expect(chain.engine.lockedBy(gasTwo!.objectId)).not.toBeNull();
    const later = await accept(chain, { ...alice, coins: [gasOne!] }, 1n);
    expect(await refusalOf(later.attempt)).toMatch(/equivocated/);
    chain.engine.advanceEpoch();
    await (
      await accept(chain, { ...alice, coins: [gasOne!] }, 2n)
    ).attempt;
  });

  it('do not prevent a transaction without conflicts from executing', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const { bytes, signatures } = await accept(chain, alice, 1n);
    const acceptance = await chain.engine.accept(bytes, signatures, SPLIT_MS);
    expect(acceptance.kind).toBe('accepted');
  });
});
