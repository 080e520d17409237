import { Inputs, type Transaction } from '@iota/iota-sdk/transactions';

const CLOCK = '0x6';

/**
 * Adds a call that reads the ledger's clock: a cheap command, since the benchmark measures the way
 * to the ledger.
 */
export function readClock(tx: Transaction): void {
  const clock = Inputs.SharedObjectRef({
    objectId: CLOCK,
    initialSharedVersion: 1,
    mutable: false,
  });
  tx.moveCall({ target: '0x2::clock::timestamp_ms', arguments: [tx.object(clock)] });
}
