import { describe, expect, it } from '@jest/globals';
import { readUnpaidTransaction } from './read-unpaid-transaction.js';

const full = (digit: string) => `0x${digit.repeat(64)}`;
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Whole transactions are of this sender. */
const SENDER = full('1');
const ledger = {
  decodeTransaction: () => ({ sender: SENDER, expirationEpoch: 9n }) as never,
  kindBytesOf: () => Buffer.from('its kind'),
};
const read = (request: object, sender = SENDER) =>
  readUnpaidTransaction(ledger, { sender, ...request });

describe('a transaction without gas data', () => {
  it('is read from its kind, or from a whole transaction of the same sender', () => {
    expect(read({ kind_bytes: base64('kind') })).toEqual({
      kindBytes: Buffer.from('kind'),
      sender: SENDER,
      expirationEpoch: null,
    });
    expect(read({ tx_bytes: base64('whole'), kind_bytes: null })).toEqual({
      kindBytes: Buffer.from('its kind'),
      sender: SENDER,
      expirationEpoch: 9n,
    });
  });

  it.each([{}, { kind_bytes: base64('kind'), tx_bytes: base64('whole') }])(
    'is refused where it is not given exactly once: %j',
    (request) => {
      expect(() => read(request)).toThrow('exactly one of kind_bytes and tx_bytes');
    },
  );

  it('is refused where it is another sender’s', () => {
    const foreign = () => read({ tx_bytes: base64('whole') }, full('2'));
    expect(foreign).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
    expect(foreign).toThrow(SENDER);
  });
});
