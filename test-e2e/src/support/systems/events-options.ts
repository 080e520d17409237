import { chooseEvents } from '../dialect-config.js';

/** A system for tests of the ledger's events. */
export const EVENTS_OPTIONS = {
  // With a lag, devnet adds empty checkpoints, whose events come between those that a test causes.
  lagMs: 0,
  events: 1,
  eventIndex: chooseEvents() === 'index',
  env: { POOL_TARGET_COINS: '10', POOL_MIN_COINS: '5' },
};
