import { describe, expect, it } from '@jest/globals';
import { Transaction } from '@iota/iota-sdk/transactions';
import {
  buildConsolidation,
  buildSplit,
  buildWithdrawal,
  findRecipients,
} from './build-transactions.js';
import { decodeTransaction } from './decoding/decode-transaction.js';
import { MAX_COINS_PER_SPLIT } from '../limits.js';

const address = (digit: string) => `0x${digit.repeat(64)}`;
const [SPONSOR, OTHER] = [address('5'), address('6')];
const coins = ['a', 'b'].map((digit) => ({
  objectId: address(digit),
  version: 7,
  digest: 'HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9',
  balance: 1_000_000_000n,
}));
const gas = { sponsor: SPONSOR, coins, gasPrice: 1_000n, gasBudget: 5_000_000n };
const split = (count: number) => buildSplit({ ...gas, amount: 2_000n, count });

describe('a transaction of the sponsor’s own', () => {
  it('is sent and paid for by the sponsor, with exactly these coins', async () => {
    const paid = coins.map(({ objectId, version, digest }) => ({ objectId, version, digest }));
    for (const built of [
      await split(3),
      await buildConsolidation(gas),
      await buildWithdrawal({ ...gas, to: OTHER, amount: null }),
      await buildWithdrawal({ ...gas, to: OTHER, amount: 7n }),
    ]) {
      expect(decodeTransaction(built.bytes)).toMatchObject({
        digest: built.digest,
        sender: SPONSOR,
        gasOwner: SPONSOR,
        gasPayment: paid,
        gasPrice: 1_000n,
        gasBudget: 5_000_000n,
        ownedInputs: [],
        sharedInputs: [],
      });
    }
  });

  it('makes as many coins as a command allows, and no more', async () => {
    const { commands } = Transaction.from((await split(3)).bytes).getData();
    expect(commands[0]?.SplitCoins?.amounts).toHaveLength(3);
    expect(commands[1]?.TransferObjects?.objects).toHaveLength(3);
    await split(1);
    await split(MAX_COINS_PER_SPLIT);
    for (const count of [0, MAX_COINS_PER_SPLIT + 1]) {
      await expect(split(count)).rejects.toThrow(RangeError);
    }
  });
});

describe('findRecipients', () => {
  it('returns the sponsor for a split, none for a consolidation, and the receiver of a withdrawal', async () => {
    const withdrawal = await buildWithdrawal({ ...gas, to: OTHER, amount: null });
    const part = await buildWithdrawal({ ...gas, to: OTHER, amount: 7n });
    expect(findRecipients((await split(3)).bytes)).toEqual([SPONSOR]);
    expect(findRecipients((await buildConsolidation(gas)).bytes)).toEqual([]);
    expect(findRecipients(withdrawal.bytes)).toEqual([OTHER]);
    expect(findRecipients(part.bytes)).toEqual([OTHER]);
  });

  it('returns null for a transaction that calls Move or takes an object', async () => {
    const finish = async (tx: Transaction) => {
      tx.setSender(SPONSOR);
      tx.setGasPayment(coins);
      tx.setGasPrice(1_000n);
      tx.setGasBudget(5_000_000n);
      return tx.build();
    };
    const calling = new Transaction();
    calling.moveCall({ target: '0x2::m::f' });
    expect(findRecipients(await finish(calling))).toBeNull();
    const taking = new Transaction();
    const object = taking.objectRef({ ...coins[0]!, objectId: address('c') });
    taking.transferObjects([object], OTHER);
    expect(findRecipients(await finish(taking))).toBeNull();
  });
});
