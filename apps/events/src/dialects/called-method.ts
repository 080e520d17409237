import type { EventDialect } from './event-dialect.js';

/** The name by which a method was called, and its dialect. */
export interface CalledMethod {
  /** With its prefix: `ledger_getEvents`. */
  readonly name: string;
  readonly dialect: EventDialect;
}
