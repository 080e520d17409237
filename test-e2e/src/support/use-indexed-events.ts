import { usePostgres } from '@forecourt/testing/jest';
import { type ServiceProcess, waitUntil } from '@forecourt/testing/system';
import type { EventId, StoredEventRecord } from '@forecourt/contracts';
import { getEvents } from './events-client.js';
import { useEvents } from './use-events.js';

/** Starts an events service with an index that begins with the ledger, for all tests of a file. */
export function useIndexedEvents(upstream: () => string): ServiceProcess {
  const postgres = usePostgres();
  return useEvents(() => ({
    EVENTS_UPSTREAMS: upstream(),
    EVENTS_DATABASE_URL: postgres.url,
    EVENTS_INDEX_FROM: 'lowest',
  }));
}

/** Waits until a service's queries show an event. */
export async function untilIndexed(url: string, { id }: StoredEventRecord): Promise<void> {
  const shows = async () => {
    const page = await getEvents(url, 'All', null, 1, true).catch(() => null);
    const [newest] = page?.data ?? [];
    return newest !== undefined && isAtLeast(newest.id, id);
  };
  await waitUntil(shows, { what: 'the index' });
}

function isAtLeast(a: EventId, b: EventId): boolean {
  return a.txSeq > b.txSeq || (a.txSeq === b.txSeq && a.eventSeq >= b.eventSeq);
}
