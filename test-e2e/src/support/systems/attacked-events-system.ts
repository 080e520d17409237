import { useLedgerUser } from '../use-events.js';
import { useSharedSystem } from '../use-system.js';
import { EVENTS_OPTIONS } from './events-options.js';

/** The system of attacks on the events service. */
export const system = useSharedSystem('attacked-events', EVENTS_OPTIONS);

export const user = useLedgerUser(system);
