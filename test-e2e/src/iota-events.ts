import { system } from './events-system.js';
import { useEvents } from './use-events.js';

/** Reads the system's ledger in the current IOTA dialect. */
export const iota = useEvents(() => ({ EVENTS_UPSTREAMS: `iota+${system.ledgerUrl}` }));
