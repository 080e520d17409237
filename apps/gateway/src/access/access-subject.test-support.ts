import type { AccessSubject } from '@forecourt/policy/access';

/** A transaction that transfers an object. */
export const SUBJECT: AccessSubject = {
  caller: 'shop',
  reservation: { gasBudget: 500, durationSecs: 60 },
  at: new Date(0),
  reservationId: 64,
  txBytes: 'AAAA',
  userSig: 'BBBB',
  referenceGasPrice: 1_000n,
  transaction: {
    bytes: Buffer.alloc(3),
    digest: 'D',
    sender: `0x${'1'.repeat(64)}`,
    gasOwner: `0x${'5'.repeat(64)}`,
    gasPayment: [],
    gasPrice: 1_000n,
    gasBudget: 500n,
    expirationEpoch: null,
    ownedInputs: [],
    receivedInputs: [],
    sharedInputs: [],
    gasCoinUses: [],
    commandKinds: ['TransferObjects'],
    moveCalls: [],
    vectorTypes: [],
    packages: [],
  },
  largestCost: 500n,
  transactionJson: () => ({}),
  header: () => undefined,
};
