import { useStarted } from '@forecourt/testing/jest';
import type { ServiceProcess } from '@forecourt/testing/system';
import { createLedgerUser, type LedgerUser } from './ledger-user.js';
import { startEvents } from './start-events.js';
import type { TestSystem } from './test-system.js';

/** Starts another events service for all tests of a file. */
export function useEvents(env: () => Record<string, string>): ServiceProcess {
  return useStarted(
    () => startEvents(env()),
    (events) => events.stop(),
  );
}

/**
 * Settings of an events service that reads a system's node over JSON-RPC, without an index, as fast as it
 * can.
 */
export function nodeAlone({ ledgerUrl }: TestSystem): Record<string, string> {
  return { EVENTS_UPSTREAMS: ledgerUrl, EVENTS_NODE_CALLS_PER_SECOND_PER_CLIENT: '10000' };
}

/** A user with coins on a system's ledger, for all tests of a file. */
export function useLedgerUser(system: TestSystem): LedgerUser {
  return useStarted(() => createLedgerUser(system.ledger, system.control));
}
