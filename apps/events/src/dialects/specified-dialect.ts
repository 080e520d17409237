import {
  readGetEvents,
  readSubscribeEvent,
  readUnsubscribeEvent,
  writeEventPage,
  writeEventRecord,
} from '@forecourt/contracts';
import type { EventDialect } from './event-dialect.js';

/** The dialect of the specification, for methods whose names begin with `ledger_`. */
export const specifiedDialect: EventDialect = {
  readGetEvents,
  readSubscribeEvent,
  readUnsubscribeEvent,
  writePage: writeEventPage,
  writeRecord: writeEventRecord,
};
