import { describe, expect, it } from '@jest/globals';
import type { FoundReservation } from '@forecourt/contracts';
import { OutcomeWatchers } from './outcome-watchers.js';

// Jest cannot load BullMQ while tslib, which it requires, is being loaded by another import.
await import('tslib');
const { ExecuteTx } = await import('./execute-tx.js');

const effects = { status: { status: 'success' } };
const found = (state: FoundReservation['state'], digest: string | null = 'D') =>
  ({ reservationId: 64, state, digest, fence: 1 }) as FoundReservation;

/** The steps that a call takes, in order, when the coin-pool finds this. */
async function stepsFor(known: FoundReservation | null): Promise<string[]> {
  const steps: string[] = [];
  const step = (name: string, answer: unknown) => async () => {
    steps.push(name);
    return answer;
  };
  const ledger = {
    decodeTransaction: () => ({ digest: 'D', sender: '0x1' }),
    verifyTransactionSignature: step('verify', true),
    findTransaction: step('look up', { effects }),
  };
  const watchers = new OutcomeWatchers();
  const executeTx = new ExecuteTx(
    ledger as never,
    { findReservation: step('find', { found: known, everHeld: false }) } as never,
    watchers,
    { run: step('claim', found('claimed')) } as never,
    { run: step('enqueue', undefined) } as never,
    { run: step('wait', effects) } as never,
  );
  const request = {
    requestId: 'r',
    caller: { name: 'shop' },
    reservationId: 64,
    txBytes: 'AAAA',
    userSig: 'AAAA',
    requestType: 'waitForEffectsCert',
    header: () => undefined,
  };
  expect(await executeTx.run(request as never)).toBe(effects);
  expect(watchers.size).toBe(0);
  return steps;
}

describe('the steps of execute', () => {
  it('enqueue what an earlier call has claimed, whose gateway may have died before it did', async () => {
    expect(await stepsFor(found('claimed'))).toEqual(['verify', 'find', 'enqueue', 'wait']);
  });

  it.each(['executing', 'executed', 'quarantined'] as const)(
    'only wait for what is %s already',
    async (state) => expect(await stepsFor(found(state))).toEqual(['verify', 'find', 'wait']),
  );

  it('look a transaction up at the ledger when its reservation left no trace', async () => {
    expect(await stepsFor(null)).toEqual(['verify', 'find', 'look up']);
  });
});
