import { describe, expect, it } from '@jest/globals';
import type { EngineOptions } from './engine-interface.js';
import { COIN, IOTA_TYPE, refusalOf, TestChain } from './test-chain.test-support.js';

const BOB = `0x${'b'.repeat(64)}`;

describe('chain seed', () => {
  it('determines the chain', async () => {
    const digests = async (options: EngineOptions) => {
      const chain = new TestChain(options);
      const { coins } = await chain.engine.mint(BOB, [5n, 6n]);
      chain.engine.advanceEpoch();
      const { engine } = chain;
      return {
        chain: engine.chainIdentifier,
        faucet: engine.faucetAddress,
        coins: coins.map(({ reference }) => reference),
        digests: engine
          .listTransactions({ limit: 9 })
          .map(({ digest, effects }) => [digest, effects.digest]),
        checkpoints: engine.listCheckpoints({ limit: 9 }).map(({ digest }) => digest),
      };
    };
    const one = await digests({ seed: 'a' });
    expect(one.chain).toMatch(/^[0-9a-f]{8}$/);
    expect(await digests({ seed: 'a' })).toEqual(one);
    const other = await digests({ seed: 'b' });
    expect(other.chain).not.toBe(one.chain);
    expect(other.faucet).not.toBe(one.faucet);
    expect(new TestChain({ seed: undefined }).engine.chainIdentifier).not.toBe(
      new TestChain({ seed: undefined }).engine.chainIdentifier,
    );
  });
});

describe('faucet', () => {
  it('mints with transactions, in the requested order, concurrently', async () => {
    const chain = new TestChain();
    const minted = await Promise.all(
      Array.from({ length: 10 }, (_, index) => chain.engine.mint(BOB, [BigInt(index), 100n])),
    );
    minted.forEach(({ coins, transaction }, index) => {
      expect(coins.map(({ coin }) => coin?.balance)).toEqual([BigInt(index), 100n]);
      expect(transaction.data.sender).toBe(chain.engine.faucetAddress);
    });
    expect(chain.balance(BOB)).toBe(1045n);
  });

  it('refuses an amount beyond its balance and still grants smaller ones', async () => {
    const chain = new TestChain({ faucetBalance: 200_000_000_000n });
    expect(await refusalOf(chain.engine.mint(BOB, [10n ** 18n]))).toMatch(
      /^Faucet balance \d+ is less than the required/,
    );
    await chain.engine.mint(BOB, [1n]);
    expect(chain.balance(BOB)).toBe(1n);
  });

  it('exists besides the configured genesis funds', () => {
    const chain = new TestChain({ genesisFunds: [{ owner: '0xB0B', amount: 2n ** 60n }] });
    expect(chain.balance('0xb0b')).toBe(2n ** 60n);
  });
});

describe('checkpoints and epochs', () => {
  it('seal and count each transaction', async () => {
    const chain = new TestChain();
    const { transaction } = await chain.engine.mint(BOB, [1n]);
    expect(transaction.checkpoint).toBe(1);
    expect(chain.engine.latestCheckpoint).toMatchObject({
      sequenceNumber: 1,
      transactions: [transaction.digest],
      networkTotalTransactions: 2,
      previousDigest: chain.engine.getCheckpoint(0)?.digest,
      epochRollingGasCostSummary: { computationCost: 1_000_000n },
    });
    expect(chain.engine.getCheckpoint(chain.engine.latestCheckpoint.digest)?.sequenceNumber).toBe(
      1,
    );
  });

  it('are sealed on demand if configured', async () => {
    const chain = new TestChain({ checkpoints: 'on-demand' });
    const sealed: number[] = [];
    chain.engine.changes.on('checkpoint', ({ transactions }) => sealed.push(transactions.length));
    for (let round = 0; round < 3; round++) await chain.engine.mint(BOB, [1n]);
    expect(chain.engine.listTransactions({ limit: 9 })[3]?.checkpoint).toBeNull();
    expect(chain.engine.sealCheckpoint()?.transactions).toHaveLength(3);
    expect(chain.engine.sealCheckpoint()).toBeNull();
    expect(chain.engine.listTransactions({ limit: 9 })[3]?.checkpoint).toBe(1);
    expect(sealed).toEqual([3]);
  });

  it('notify listeners of transactions, checkpoints and epochs in order until they unsubscribe', async () => {
    const chain = new TestChain();
    const told: string[] = [];
    const { changes } = chain.engine;
    changes.on('executed', ({ sequence }) => told.push(`transaction ${sequence}`));
    changes.on('checkpoint', ({ sequenceNumber }) => told.push(`checkpoint ${sequenceNumber}`));
    changes.on('epoch', (epoch) => told.push(`epoch ${epoch}`));
    await chain.engine.mint(BOB, [1n]);
    chain.time += 10;
    chain.engine.advanceEpoch();
    changes.removeAllListeners();
    await chain.engine.mint(BOB, [1n]);
    expect(told).toEqual([
      'transaction 1',
      'checkpoint 1',
      'transaction 2',
      'checkpoint 2',
      'epoch 1',
    ]);
    expect(chain.engine.getCheckpoint(2)).toMatchObject({ endOfEpoch: true, epoch: 0n });
    expect(chain.engine.systemState()).toMatchObject({ epoch: 1n, epochStartMs: chain.time });
  });
});

describe('epochs', () => {
  it('are known with their checkpoints, times and price, also after pruning', async () => {
    const chain = new TestChain();
    const start = chain.time;
    await chain.engine.mint(BOB, [1n]);
    chain.engine.setReferenceGasPrice(1_100n);
    chain.time += 10;
    chain.engine.advanceEpoch();
    await chain.engine.mint(BOB, [1n]);
    chain.engine.prune(3);
    const ended = { firstCheckpoint: 0, lastCheckpoint: 2, startMs: start, endMs: start + 10 };
    const begun = { firstCheckpoint: 3, lastCheckpoint: null, startMs: start + 10, endMs: null };
    const referenceGasPrice = 1_100n;
    expect(chain.engine.findEpoch(0n)).toEqual({ epoch: 0n, ...ended, referenceGasPrice });
    expect(chain.engine.findEpoch(1n)).toEqual({ epoch: 1n, ...begun, referenceGasPrice });
    expect(chain.engine.findEpoch(2n)).toBeNull();
  });
});

describe('reading', () => {
  it('pages coins in a stable order while other coins are created and deleted', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN, ...Array.from({ length: 25 }, () => 7n));
    const seen: string[] = [];
    let cursor: string | null = null;
    for (let hasNextPage = true; hasNextPage;) {
      const page = chain.engine.listCoins(alice.address, IOTA_TYPE, { cursor, limit: 10 });
      seen.push(...page.data.map(({ objectId }) => objectId));
      ({ nextCursor: cursor, hasNextPage } = page);
      // The coin of the cursor is deleted between two pages.
      const used = page.data.find(({ objectId }) => objectId === cursor)!;
      if (used.objectId !== alice.coins[0]!.objectId) {
        await chain.run(alice, (tx) => tx.transferObjects([chain.input(tx, used)], BOB));
      }
    }
    expect(seen).toEqual([...seen].sort());
    expect(new Set(seen).size).toBe(26);
  });

  it('pages all coins type by type', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN, 1n, 2n);
    await chain.run(alice, (tx) => {
      for (const amount of [5, 6, 7]) {
        const args = [tx.pure.u64(amount), tx.pure.address(alice.address)];
        tx.moveCall({ target: '0xdec0::token::mint', arguments: args });
      }
    });
    const seen: (string | undefined)[] = [];
    let cursor: string | null = null;
    for (let hasNextPage = true; hasNextPage;) {
      const page = chain.engine.listCoins(alice.address, null, { cursor, limit: 2 });
      seen.push(...page.data.map(({ coin }) => coin?.coinType));
      ({ nextCursor: cursor, hasNextPage } = page);
    }
    const token = `${chain.engine.demo.packageId}::token::TOKEN`;
    expect(seen).toEqual([token, token, token, IOTA_TYPE, IOTA_TYPE, IOTA_TYPE].sort());
    const filter = ({ coin }: { coin: { coinType: string } | null }) => coin?.coinType === token;
    const owned = chain.engine.listOwnedObjects(alice.address, { limit: 2, filter });
    expect([owned.data.length, owned.hasNextPage]).toEqual([2, true]);
  });

  it('finds past versions, deleted objects and unknown ones', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const { objectId, version } = alice.coins[0]!;
    await chain.run(alice, () => undefined);
    const { engine } = chain;
    expect(engine.getPastObject(objectId, version)).toMatchObject({
      kind: 'found',
      object: { version, coin: { balance: COIN } },
    });
    expect(engine.getPastObject(objectId, version - 1)).toEqual({ kind: 'version-not-found' });
    expect(engine.getPastObject(objectId, version + 9)).toEqual({
      kind: 'version-too-high',
      latest: version + 1,
    });
    expect(engine.getPastObject(BOB, 1)).toEqual({ kind: 'unknown' });
    expect(engine.getObject('0x6')).toMatchObject({ object: { type: '0x2::clock::Clock' } });
  });

  it('lists transactions and events in both directions', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    for (let round = 0; round < 3; round++) {
      await chain.run(alice, (tx) => {
        for (const model of ['a', 'b']) {
          const args = [tx.pure.string(model + round), tx.pure.address(alice.address)];
          tx.moveCall({ target: '0xdec0::garage::build_car', arguments: args });
        }
      });
    }
    const sequences = (listing: { after?: number; descending?: boolean }) =>
      chain.engine.listTransactions({ limit: 2, ...listing }).map(({ sequence }) => sequence);
    expect(sequences({})).toEqual([0, 1]);
    expect(sequences({ after: 1 })).toEqual([2, 3]);
    expect(sequences({ after: 4 })).toEqual([]);
    expect(sequences({ descending: true })).toEqual([4, 3]);
    expect(sequences({ after: 1, descending: true })).toEqual([0]);
  });

  it('keeps the configured amount of history', async () => {
    const chain = new TestChain({ keptTransactions: 5 });
    const alice = await chain.account(COIN);
    const { objectId, version } = alice.coins[0]!;
    const first = await chain.run(alice, () => undefined);
    for (let round = 0; round < 5; round++) await chain.run(alice, () => undefined);
    expect(chain.engine.getTransaction(first.digest)).toBeNull();
    expect(chain.engine.getPastObject(objectId, version)).toEqual({ kind: 'version-not-found' });
    expect(chain.engine.getPastObject(objectId, version + 5).kind).toBe('found');
    expect(chain.engine.listTransactions({ limit: 99 })).toHaveLength(5);
    expect(chain.engine.transactionCount).toBe(8);
    expect(chain.engine.listCheckpoints({ limit: 99 })).toHaveLength(5);
  });
});
