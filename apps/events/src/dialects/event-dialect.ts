import type {
  EventPage,
  FilterLimits,
  GetEventsRequest,
  StoredEventRecord,
  SubscribeEventRequest,
} from '@forecourt/contracts';

/** A page as the dialect shows it. */
export interface WrittenPage {
  readonly data: readonly unknown[];
  readonly nextCursor: unknown;
}

/** How the params and results of the methods are written. Every reader throws -32602. */
export interface EventDialect {
  readGetEvents(params: unknown): GetEventsRequest;
  readSubscribeEvent(params: unknown, limits: FilterLimits): SubscribeEventRequest;
  readUnsubscribeEvent(params: unknown): number;

  /** Throws -32000 when the node has left out what the dialect shows. */
  writePage(page: EventPage): WrittenPage;

  /** Throws -32000 when the node has left out what the dialect shows. */
  writeRecord(record: StoredEventRecord): unknown;
}
