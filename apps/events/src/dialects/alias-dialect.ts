import {
  readAliasGetEvents,
  readAliasSubscribeEvent,
  readAliasUnsubscribeEvent,
  writeAliasPage,
  writeAliasRecord,
} from '@forecourt/contracts';
import type { EventDialect } from './event-dialect.js';

/** The dialect of the nodes of December 2022, for methods with a prefix of `EVENTS_METHOD_ALIASES`. */
export const aliasDialect: EventDialect = {
  readGetEvents: readAliasGetEvents,
  readSubscribeEvent: readAliasSubscribeEvent,
  readUnsubscribeEvent: readAliasUnsubscribeEvent,
  writePage: writeAliasPage,
  writeRecord: writeAliasRecord,
};
