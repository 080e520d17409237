import { createIotaCodec, InvalidTransactionBytes } from '@forecourt/ledger';
import { describe, expect, it } from '@jest/globals';
import { Transaction } from '@iota/iota-sdk/transactions';
import { decodeTxBytes, readKindBytes } from './transaction-fields.js';

const codec = createIotaCodec();

async function aTransaction() {
  const tx = new Transaction();
  tx.moveCall({ target: '0x2::clock::timestamp_ms', arguments: [tx.object.clock()] });
  tx.setSender(`0x${'1'.repeat(64)}`);
  tx.setGasPayment([]);
  tx.setGasPrice(1_000);
  tx.setGasBudget(5_000_000);
  const whole = Buffer.from(await tx.build());
  const kind = Buffer.from(codec.kindBytesOf(codec.decodeTransaction(whole)));
  return { whole: whole.toString('base64'), kind: kind.toString('base64') };
}

describe('the bytes of a request', () => {
  it('are read from the field that they belong to', async () => {
    const { whole, kind } = await aTransaction();
    expect(decodeTxBytes(codec, whole).gasBudget).toBe(5_000_000n);
    expect(readKindBytes(codec, kind).toString('base64')).toBe(kind);
  });

  it('are refused in the other field, which the error names', async () => {
    const { whole, kind } = await aTransaction();
    const refused = (read: () => unknown, message: RegExp) => {
      expect(read).toThrow(InvalidTransactionBytes);
      expect(read).toThrow(message);
    };
    refused(() => readKindBytes(codec, whole), /whole transaction: give it as tx_bytes/);
    refused(() => decodeTxBytes(codec, kind), /only the kind .* take kind_bytes/);
  });

  it.each(['', 'AA==', 'Z2FyYmFnZQ=='])(
    'keep the reader’s error if they fit neither: %j',
    (text) => {
      for (const read of [readKindBytes, decodeTxBytes]) {
        expect(() => read(codec, text)).toThrow(InvalidTransactionBytes);
        expect(() => read(codec, text)).not.toThrow(/tx_bytes|kind_bytes/);
      }
    },
  );
});
