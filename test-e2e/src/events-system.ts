import type { StoredEventRecord } from '@forecourt/contracts';
import { useLedgerUser } from './use-events.js';
import { useSystem } from './use-system.js';

export const BOB = `0x${'b0b'.padStart(64, '0')}`;
export const GARAGE = `0x${'dec0'.padStart(64, '0')}`;

/** The system of the tests of the ledger's events. */
export const system = useSystem({
  // With a lag, devnet adds checkpoints without transactions, unlike real nodes, and the service locates events by
  // transactions.
  lagMs: 0,
  events: 1,
  env: { POOL_TARGET_COINS: '10', POOL_MIN_COINS: '5' },
});

export const user = useLedgerUser(system);

/** The kind of an event and its contents. */
export function open({ event }: StoredEventRecord): [string, Record<string, unknown>] {
  return Object.entries(event)[0] as [string, Record<string, unknown>];
}
