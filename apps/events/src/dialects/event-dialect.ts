import type {
  EventPage,
  FilterLimits,
  GetEventsRequest,
  StoredEventRecord,
  SubscribeEventRequest,
} from '@forecourt/contracts';

/** A page in the format of the dialect. */
export interface WrittenPage {
  readonly data: readonly unknown[];
  readonly nextCursor: unknown;
}

/** The format of the methods' params and results. Every reader throws -32602. */
export interface EventDialect {
  readGetEvents(params: unknown): GetEventsRequest;
  readSubscribeEvent(params: unknown, limits: FilterLimits): SubscribeEventRequest;
  readUnsubscribeEvent(params: unknown): number;

  /** Throws -32000 if the node has left out an attribute of the dialect. */
  writePage(page: EventPage): WrittenPage;

  /** Throws -32000 if the node has left out an attribute of the dialect. */
  writeRecord(record: StoredEventRecord): unknown;
}
