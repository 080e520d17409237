import { ForecourtError } from '@forecourt/contracts';
import type { Ledger } from '@forecourt/ledger';
import type { AccessSubject } from '@forecourt/policy/access';
import { CONFIGURED_CALLER } from '@forecourt/policy/tokens';
import { describe, expect, it } from '@jest/globals';

// Jest cannot load BullMQ while tslib, which it requires, is being loaded by another import.
await import('tslib');
const { TransactionAccess } = await import('./transaction-access.js');
type Parts = ConstructorParameters<typeof TransactionAccess>;

const LARGEST = 131_072;
/** Beyond it, the JSON of large transactions is not made within ten seconds. */
const MOST = 2_097_152;

/** A gateway whose rules have two policies look at each transaction, and deny it. */
function denying() {
  const made: unknown[] = [];
  const ledger = {
    status: async () => ({ epoch: 1n, referenceGasPrice: 1_000n }),
    transactionJson: (transaction: unknown) => made.push(transaction),
  } as unknown as Ledger;
  const ask = (_caller: unknown, { transactionJson }: AccessSubject) => ({
    mayAllowAbstractAccounts: false,
    freesDenied: false,
    async decideWithoutCalls() {
      await transactionJson();
      await transactionJson();
      throw new ForecourtError('FORBIDDEN', 'no');
    },
  });
  const access = new TransactionAccess(
    { maxGasPriceRatio: 5 } as Parts[0],
    ledger,
    { ask } as unknown as Parts[2],
    {} as Parts[3],
    { requireRunning: () => undefined } as unknown as Parts[4],
    {} as Parts[5],
    {} as Parts[6],
  );
  const execute = async (name: string, length: number) => {
    const caller = { ...CONFIGURED_CALLER, name };
    const call = { caller, requestId: 'r', refusal: {} };
    const request = { ...call, reservationId: 64, txBytes: '', userSig: '' };
    const transaction = {
      bytes: new Uint8Array(length),
      gasPayment: [],
      gasBudget: 1n,
      gasPrice: 1n,
    };
    const reservation = { sponsor: '0x5', gasBudget: 9, durationSecs: 60, mayLeaveDust: false };
    const asked = await access.ask(
      request as unknown as Parameters<typeof access.ask>[0],
      transaction as unknown as Parameters<typeof access.ask>[1],
      reservation as unknown as Parameters<typeof access.ask>[2],
    );
    return access.decideWithoutHooks(asked).then(
      () => 'allowed',
      (error: ForecourtError) => error.code,
    );
  };
  return { made, execute };
}

describe('the JSON that policies look at', () => {
  it('is made once for each transaction, however many policies look at it', async () => {
    const { made, execute } = denying();
    await execute('shop', 500);
    expect(made).toHaveLength(1);
  });

  it('of large transactions is made for a caller within a bound only, even if all are denied', async () => {
    const { made, execute } = denying();
    const codes: string[] = [];
    for (let n = 0; n < 40; n++) codes.push(await execute('greedy', LARGEST));
    expect(made).toHaveLength(MOST / LARGEST);
    expect(codes.slice(made.length)).toEqual(Array(40 - made.length).fill('OVERLOADED'));
    expect(await execute('shop', LARGEST)).toBe('FORBIDDEN');
  });

  it('of small transactions is made for each', async () => {
    const { made, execute } = denying();
    for (let n = 0; n < 1_000; n++) await execute('busy', 4_096);
    expect(made).toHaveLength(1_000);
  });
});
