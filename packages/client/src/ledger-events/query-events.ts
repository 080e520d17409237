import type { EventCriterion } from './event-criterion.js';
import type { EventsConnection } from './events-connection.js';
import type { StoredEventRecord } from './ledger-event.js';
import { type QueryOptions, readEventPage } from './read-event-page.js';

/** Every event that satisfies the criterion. A page is read only when its first event is taken. */
export async function* queryEvents(
  connection: EventsConnection,
  criterion: EventCriterion,
  options: QueryOptions = {},
): AsyncGenerator<StoredEventRecord, void, undefined> {
  let cursor = options.cursor ?? null;
  do {
    const page = await readEventPage(connection, criterion, { ...options, cursor });
    yield* page.data;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
