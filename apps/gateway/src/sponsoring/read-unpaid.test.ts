import { describe, expect, it } from '@jest/globals';
import type { Ledger } from '@forecourt/ledger';
import { CONFIGURED_CALLER } from '@forecourt/policy/tokens';
import { readUnpaid } from './read-unpaid.js';

const full = (digit: string) => `0x${digit.repeat(64)}`;
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Whole transactions are of this sender. */
const SENDER = full('1');
const ledger = {
  decodeTransaction: (): object => ({ sender: SENDER, expirationEpoch: 9n }),
  assembleTransaction: () => Buffer.from('assembled'),
  kindBytesOf: () => Buffer.from('its kind'),
} as unknown as Ledger;

describe('a transaction without gas data', () => {
  const call = { requestId: 'r', caller: CONFIGURED_CALLER, refusal: {} };
  const read = (request: object, sender = SENDER) =>
    readUnpaid(ledger, call, { sender, ...request });

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
    'is refused if it is not given exactly once: %j',
    (request) => {
      expect(() => read(request)).toThrow('exactly one of kind_bytes and tx_bytes');
    },
  );

  it('is refused if it is another sender’s', () => {
    const foreign = () => read({ tx_bytes: base64('whole') }, full('2'));
    expect(foreign).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
    expect(foreign).toThrow(SENDER);
  });
});
