import type { StoredEventRecord } from '@forecourt/contracts';
import { useLedgerUser } from '../use-events.js';
import { useSharedSystem } from '../use-system.js';
import { EVENTS_OPTIONS } from './events-options.js';

export const BOB = `0x${'b0b'.padStart(64, '0')}`;
export const GARAGE = `0x${'dec0'.padStart(64, '0')}`;

/** The system of the tests of the ledger's events. */
export const system = useSharedSystem('events', {
  ...EVENTS_OPTIONS,
  // The tests together are one client, which reads the whole ledger many times.
  env: { ...EVENTS_OPTIONS.env, EVENTS_NODE_CALLS_PER_SECOND_PER_CLIENT: '10000' },
});

export const user = useLedgerUser(system);

/** The kind of an event and its contents. */
export function open({ event }: StoredEventRecord): [string, Record<string, unknown>] {
  return Object.entries(event)[0] as [string, Record<string, unknown>];
}
