import { describe, expect, it } from '@jest/globals';
import type { AcceptedTransaction } from './engine-interface.js';
import { type Account, COIN, refusalOf, sign, TestChain } from './test-chain.test-support.js';

const LIFETIME_MS = 12_000;

async function accept(chain: TestChain, account: Account, note: bigint) {
  const bytes = await chain.build((tx) => void tx.pure.u64(note), {
    sender: account.address,
    gas: account.coins.slice(0, 1),
  });
  const acceptance = await chain.engine.accept(bytes, [await sign(account.keypair, bytes)]);
  if (acceptance.kind !== 'accepted') throw new Error('already executed');
  return acceptance.accepted;
}

function withSoftLocks(): TestChain {
  const chain = new TestChain();
  chain.engine.setLockLifetime(LIFETIME_MS);
  return chain;
}

describe('soft locks', () => {
  it('last 12 s, not until the epoch ends', async () => {
    const chain = withSoftLocks();
    const alice = await chain.account(COIN);
    const first = await accept(chain, alice, 1n);
    const id = alice.coins[0]!.objectId;
    chain.time += LIFETIME_MS - 1;
    expect(await refusalOf(accept(chain, alice, 2n))).toContain(`- ${first.digest} (stake 100.0)`);
    expect(chain.engine.lockedBy(id)).toBe(first.digest);
    chain.time += 1;
    expect(chain.engine.lockedBy(id)).toBeNull();
    const second = await accept(chain, alice, 2n);
    expect(chain.engine.lockedBy(id)).toBe(second.digest);
  });

  it('let a transaction execute after they have expired, unless another was faster', async () => {
    const chain = withSoftLocks();
    const [alice, bob] = [await chain.account(COIN), await chain.account(COIN)];
    const [alices, bobs] = [await accept(chain, alice, 1n), await accept(chain, bob, 1n)];
    chain.time += LIFETIME_MS;
    const faster = await accept(chain, alice, 2n);
    const execute = (accepted: AcceptedTransaction) => chain.engine.execute(accepted);
    expect(() => execute(alices)).toThrow('reserved for another transaction');
    expect(execute(faster).effects.status.status).toBe('success');
    expect(() => execute(alices)).toThrow('is not available for consumption');
    expect(execute(bobs).effects.status.status).toBe('success');
  });

  it('expire for unknown transactions as well', async () => {
    const chain = withSoftLocks();
    const alice = await chain.account(COIN);
    chain.engine.lockObject(alice.coins[0]!.objectId, 'stranger');
    expect(await refusalOf(accept(chain, alice, 1n))).toContain('- stranger');
    chain.time += LIFETIME_MS;
    await accept(chain, alice, 1n);
  });

  it('last until the epoch ends where nodes have certificates', async () => {
    const chain = withSoftLocks();
    chain.engine.setLockLifetime(null);
    const alice = await chain.account(COIN);
    await accept(chain, alice, 1n);
    chain.time += 1_000 * LIFETIME_MS;
    expect(await refusalOf(accept(chain, alice, 2n))).toContain('reserved for another transaction');
  });
});

describe('a conflict', () => {
  it('names the locked objects of each transaction', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const [coin] = alice.coins;
    const first = await accept(chain, alice, 1n);
    await expect(accept(chain, alice, 2n)).rejects.toMatchObject({
      locked: new Map([[first.digest, [chain.object(coin!.objectId).reference]]]),
    });
  });
});
