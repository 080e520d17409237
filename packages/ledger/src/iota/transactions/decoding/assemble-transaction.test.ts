import { describe, expect, it } from '@jest/globals';
import type { Transaction } from '@iota/iota-sdk/transactions';
import { assembleTransaction } from './assemble-transaction.js';
import { decodeTransaction, readKindBytes } from './decode-transaction.js';
import { aTransaction } from '../transaction.test-support.js';

const readClock = (tx: Transaction) =>
  tx.moveCall({ target: '0x2::clock::timestamp_ms', arguments: [tx.object.clock()] });

describe('assembleTransaction', () => {
  it.each<[string, (tx: Transaction) => void]>([
    ['without an expiration', readClock],
    [
      'with a last epoch',
      (tx) => {
        readClock(tx);
        tx.setExpiration({ Epoch: 7 });
      },
    ],
  ])('produces the SDK’s bytes: %s', async (_what, fill) => {
    const { bytes } = await aTransaction(fill);
    const decoded = decodeTransaction(bytes);
    const { sender, gasOwner, gasPayment, gasPrice, gasBudget, expirationEpoch } = decoded;
    const gas = { owner: gasOwner, payment: gasPayment, price: gasPrice, budget: gasBudget };
    const kindBytes = readKindBytes(bytes);
    const assembled = assembleTransaction({ kindBytes, sender, gas, expirationEpoch });
    expect(Buffer.from(assembled).toString('hex')).toBe(Buffer.from(bytes).toString('hex'));
  });

  it('accepts an empty payment for a dry run', async () => {
    const { bytes, sender, sponsor } = await aTransaction(readClock);
    const gas = { owner: sponsor, payment: [], price: 1_000n, budget: 5n };
    const kindBytes = readKindBytes(bytes);
    const unpaid = assembleTransaction({ kindBytes, sender, gas, expirationEpoch: null });
    expect(decodeTransaction(unpaid)).toMatchObject({ sender, gasOwner: sponsor, gasPayment: [] });
  });
});
