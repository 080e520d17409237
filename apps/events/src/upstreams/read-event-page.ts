import type { EventPage } from '@forecourt/contracts';
import { UpstreamFailed } from './event-source.js';

/** Checks the result of a legacy node's event query, except for its records. Throws `UpstreamFailed` unless it is a page. */
export function readEventPage(result: unknown, method: string): EventPage {
  const { data, nextCursor } = (result ?? {}) as { data?: unknown; nextCursor?: unknown };
  if (Array.isArray(data) && (nextCursor === null || Number.isSafeInteger(nextCursor))) {
    return result as EventPage;
  }
  throw new UpstreamFailed(`${method}: the result is not a page of events`);
}
