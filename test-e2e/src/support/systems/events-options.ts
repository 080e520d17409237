import { chooseEvents } from '../dialect-config.js';

/** A system for tests of the ledger's events. */
export const EVENTS_OPTIONS = {
  // With a lag, devnet adds checkpoints without transactions, unlike real nodes, and the service locates events by
  // transactions.
  lagMs: 0,
  events: 1,
  eventIndex: chooseEvents() === 'index',
  env: { POOL_TARGET_COINS: '10', POOL_MIN_COINS: '5' },
};
