import { system } from '../support/systems/events-system.js';
import { useEvents } from '../support/use-events.js';

/** Reads the system's ledger in the current IOTA dialect. */
export const iota = useEvents(() => ({
  EVENTS_UPSTREAMS: `iota+${system.ledgerUrl}`,
  EVENTS_NODE_CALLS_PER_SECOND_PER_CLIENT: '10000',
}));
