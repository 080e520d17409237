import {
  readGetEvents,
  readSubscribeEvent,
  readUnsubscribeEvent,
  writeEventPage,
  writeEventRecord,
} from '@forecourt/contracts';
import type { EventDialect } from './event-dialect.js';

/** The specification's, for the methods whose names begin with `ledger_`. */
export const specifiedDialect: EventDialect = {
  readGetEvents,
  readSubscribeEvent,
  readUnsubscribeEvent,
  writePage: writeEventPage,
  writeRecord: writeEventRecord,
};
