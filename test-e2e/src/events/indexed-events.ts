import { system } from '../support/systems/events-system.js';
import { useIndexedEvents } from '../support/use-indexed-events.js';

/** Reads the system's ledger from an index that is written in the current IOTA dialect. */
export const indexed = useIndexedEvents(() => `iota+${system.ledgerUrl}`);
