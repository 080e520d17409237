import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ForecourtError } from '@forecourt/contracts';
import { CONFIGURED_CALLER } from '@forecourt/policy/tokens';
import { LEDGER } from '@forecourt/runtime/ledger';
import { Test } from '@nestjs/testing';
import { TransactionReader } from './transaction-reader.js';

const full = (digit: string) => `0x${digit.repeat(64)}`;
const ED25519 = Buffer.from([0, 1, 2]).toString('base64');
/** With ten members. */
const MULTISIG = Buffer.from([3, 10, 2]).toString('base64');

/** Whole transactions are of this sender. */
const SENDER = full('1');

let verified: number;
let reader: TransactionReader;

async function aReader(): Promise<TransactionReader> {
  const ledger = {
    abstractAccount: (signature: string) =>
      signature.startsWith('account') ? { address: full(signature.at(-1)!) } : null,
    decodeTransaction: () => ({ sender: SENDER }),
    verifyTransactionSignature: async () => ++verified > 0,
  };
  const module = await Test.createTestingModule({
    providers: [TransactionReader, { provide: LEDGER, useValue: ledger }],
  }).compile();
  return module.get(TransactionReader);
}

beforeEach(async () => {
  verified = 0;
  reader = await aReader();
});

/** Reads a call of this caller: the account that authorises it, `verified`, or the code of the error. */
function outcome(name: string, userSig: string) {
  const caller = { ...CONFIGURED_CALLER, name };
  const call = { requestId: 'r', caller, refusal: {} };
  const ids = { reservationId: 64, requestType: 'waitForEffectsCert' } as const;
  const request = { ...ids, ...call, txBytes: 'AAAA', userSig, header: () => undefined };
  return reader.readSigned(request).then(
    ({ account }) => account?.address ?? 'verified',
    ({ code }: ForecourtError) => code,
  );
}

describe('the verification of users’ signatures', () => {
  it('is bounded for a caller with many that are slow to verify, and for no other', async () => {
    jest.spyOn(performance, 'now').mockReturnValue(0);
    const slow = [];
    for (let count = 0; count < 102; count++) slow.push(await outcome('shop', MULTISIG));
    expect(slow.filter((one) => one === 'verified')).toHaveLength(100);
    expect(slow.at(-1)).toBe('OVERLOADED');
    expect(verified).toBe(100);
    expect(await outcome('shop', ED25519)).toBe('verified');
    expect(await outcome('other', MULTISIG)).toBe('verified');
  });

  it('is left to the ledger for the sender’s own abstract account', async () => {
    expect(await outcome('shop', 'account1')).toBe(SENDER);
    // The signature of another account is verified like any other, which the SDK refuses.
    expect(await outcome('shop', 'account2')).toBe('verified');
    expect(await outcome('shop', ED25519)).toBe('verified');
  });
});
