import { system } from '../support/systems/events-system.js';
import { useIndexedEvents } from '../support/use-indexed-events.js';

/** Reads the system's ledger from an index that is written from the node. */
export const indexed = useIndexedEvents(() => system.ledgerUrl);
