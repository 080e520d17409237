import { type DecodedTransaction, MAX_NAMED_OBJECTS } from '@forecourt/ledger';
import { describe, expect, it } from '@jest/globals';
import { checkGasPrice, checkObjectCount, checkSponsorship } from './check-sponsorship.js';

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

describe('the gas price', () => {
  it.each<[bigint, bigint, number, boolean]>([
    [1_000n, 1_000n, 1, false],
    [5_000n, 1_000n, 5, false],
    [99_999n, 1_000n, 5, true],
  ])(
    'is accepted at %d for a reference price of %d and a ratio of %d (by rule: %p)',
    (...facts) => {
      const [gasPrice, reference, ratio, allowedByRule] = facts;
      expect(() => checkGasPrice({ gasPrice }, reference, ratio, allowedByRule)).not.toThrow();
    },
  );

  it.each<[bigint, bigint, number]>([
    [1_001n, 1_000n, 1],
    [5_001n, 1_000n, 5],
    [2n ** 64n - 1n, 2n ** 60n, 5],
  ])(
    'is refused at %d for a reference price of %d and a ratio of %d',
    (gasPrice, reference, ratio) => {
      const expected = expect.objectContaining({
        code: 'GAS_PRICE_TOO_HIGH',
        message: expect.stringContaining(`${gasPrice} exceeds ${reference * BigInt(ratio)}`),
      });
      expect(() => checkGasPrice({ gasPrice }, reference, ratio, false)).toThrow(expected);
    },
  );
});

const naming = (owned: number, received: number, shared: number, packages: number) => {
  const ids = (count: number) => Array.from({ length: count }, (_, index) => `0x${index}`);
  const reference = (objectId: string) => ({ objectId, version: 1, digest: 'D' });
  return {
    ownedInputs: ids(owned).map(reference),
    receivedInputs: ids(received).map(reference),
    sharedInputs: ids(shared).map((objectId) => ({
      objectId,
      initialSharedVersion: 1,
      mutable: false,
    })),
    packages: ids(packages),
  };
};

describe('the number of objects and packages a transaction names', () => {
  it('may reach the limit', () => {
    const most = naming(MAX_NAMED_OBJECTS - 3, 1, 1, 1);
    expect(() => checkObjectCount(most)).not.toThrow();
  });

  it.each([
    [MAX_NAMED_OBJECTS + 1, 0, 0, 0],
    [0, MAX_NAMED_OBJECTS + 1, 0, 0],
    [0, 0, MAX_NAMED_OBJECTS + 1, 0],
    [0, 0, 0, MAX_NAMED_OBJECTS + 1],
    [MAX_NAMED_OBJECTS - 2, 1, 1, 1],
  ])('is refused above it: %d owned, %d received, %d shared, %d packages', (...counts) => {
    const expected = expect.objectContaining({
      code: 'TOO_MANY_OBJECTS',
      message: expect.stringContaining('513 exceed the limit of 512'),
    });
    expect(() => checkObjectCount(naming(...counts))).toThrow(expected);
  });
});
