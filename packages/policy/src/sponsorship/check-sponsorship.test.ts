import { describe, expect, it } from '@jest/globals';
import type { DecodedTransaction } from '@forecourt/ledger';
import { checkSponsorship } from './check-sponsorship.js';

const sponsor = `0x${'5'.repeat(64)}`;
const coin = (name: string, version = 1) => ({
  objectId: `0x${name}`,
  version,
  digest: `D${name}`,
});
const sharedInput = (objectId: string) => ({ objectId, initialSharedVersion: 1, mutable: false });
const reservation = { sponsor, gasBudget: 1_000, coins: [coin('a'), coin('b')] };

const transaction = (over: Partial<DecodedTransaction> = {}): DecodedTransaction => ({
  bytes: new Uint8Array(),
  digest: 'D',
  sender: '0x1',
  gasOwner: sponsor,
  gasPayment: reservation.coins,
  gasPrice: 1n,
  gasBudget: 1_000n,
  expirationEpoch: null,
  ownedInputs: [],
  receivedInputs: [],
  sharedInputs: [],
  gasCoinUses: [],
  commandKinds: [],
  moveCalls: [],
  vectorTypes: [],
  packages: [],
  ...over,
});

describe('a sponsored transaction', () => {
  it('may pay with the reserved coins in any order, up to the budget, in its last epoch', () => {
    const gasPayment = [coin('b'), coin('a')];
    const fitting = transaction({ gasPayment, expirationEpoch: 9n });
    expect(() => checkSponsorship(fitting, reservation, 9n)).not.toThrow();
  });

  it.each<[string, Partial<DecodedTransaction>]>([
    ['SENDER_IS_SPONSOR', { sender: sponsor }],
    ['GAS_OWNER_MISMATCH', { gasOwner: '0x2' }],
    ['GAS_COIN_USED', { gasCoinUses: ['command 0 (SplitCoins), coin'] }],
    ['RESERVED_COIN_IS_INPUT', { ownedInputs: [coin('b')] }],
    ['RESERVED_COIN_IS_INPUT', { receivedInputs: [coin('a')] }],
    ['RESERVED_COIN_IS_INPUT', { sharedInputs: [sharedInput('0xa')] }],
    ['GAS_PAYMENT_MISMATCH', { gasPayment: [coin('a')] }],
    ['GAS_PAYMENT_MISMATCH', { gasPayment: [] }],
    ['GAS_PAYMENT_MISMATCH', { gasPayment: [coin('a'), coin('a')] }],
    ['GAS_PAYMENT_MISMATCH', { gasPayment: [coin('a'), coin('b'), coin('c')] }],
    ['GAS_PAYMENT_MISMATCH', { gasPayment: [coin('a', 2), coin('b')] }],
    ['GAS_PAYMENT_MISMATCH', { gasPayment: [{ ...coin('a'), digest: 'Other' }, coin('b')] }],
    ['GAS_BUDGET_ABOVE_RESERVED', { gasBudget: 1_001n }],
    ['TRANSACTION_EXPIRED', { expirationEpoch: 8n }],
  ])('is refused with %s', (code, over) => {
    const check = () => checkSponsorship(transaction(over), reservation, 9n);
    expect(check).toThrow(expect.objectContaining({ code }));
  });

  it('is accepted with any expiration if the epoch is unknown', () => {
    const old = transaction({ expirationEpoch: 0n });
    expect(() => checkSponsorship(old, reservation, null)).not.toThrow();
  });
});
