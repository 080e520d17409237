import { parseObject } from '../gas-station/read-fields.js';
import { readRetryAfter } from '../calls/delays.js';
import type { HttpAnswer } from '../calls/send-request.js';
import { Unanswered } from '../calls/unanswered.js';
import { sendUntilAnswered } from '../calls/send-until-answered.js';
import type { EventCriterion } from './event-conditions.js';
import type { EventsConnection } from './events-connection.js';
import type { StoredEventRecord } from './event-record.js';
import { fromRpcError, LedgerEventsError, type RpcError } from './ledger-events-error.js';

/** Opaque; an integer names a position alone. */
export type EventCursor = string | number;

export interface QueryOptions {
  /** Newest first. */
  readonly descending?: boolean | undefined;
  /** Events of one request, 1 to 1000; default 100. */
  readonly pageSize?: number | undefined;
  /** The start: the `nextCursor` of an earlier page. */
  readonly cursor?: EventCursor | null | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface EventPage {
  readonly data: readonly StoredEventRecord[];
  /** Names the first event after this page; null on the last page. */
  readonly nextCursor: EventCursor | null;
}

interface RpcAnswer {
  readonly error?: RpcError | string | null;
  readonly result?: Partial<EventPage> | null;
}

/**
 * Reads one page. Waits while a limit on queries is reached. Throws `LedgerEventsError` and the reason of the
 * signal.
 */
export async function readEventPage(
  connection: EventsConnection,
  criterion: EventCriterion,
  { descending = false, pageSize = 100, cursor = null, signal }: QueryOptions = {},
): Promise<EventPage> {
  const { httpUrl: url, headers, fetch, timeoutMs } = connection;
  const params = [criterion, cursor, pageSize, descending ? 'Descending' : 'Ascending'];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ledger_getEvents', params });
  const answer = await sendUntilAnswered(
    fetch,
    { url, method: 'POST', headers, body },
    {
      timeoutMs,
      mayChange: isLimited,
      signal,
    },
  ).catch((cause: unknown) => {
    if (!(cause instanceof Unanswered)) throw cause;
    throw new LedgerEventsError(cause.code, cause.message, { cause });
  });
  return readPage(url, answer);
}

function isLimited({ status, text }: HttpAnswer): boolean {
  const { error } = parseObject(text) as RpcAnswer;
  const isRpcError = typeof error === 'object' && error !== null;
  return status === 429 || (isRpcError && fromRpcError(error).code === 'TOO_MANY_REQUESTS');
}

function readPage(url: string, { status, headers, text }: HttpAnswer): EventPage {
  const { error, result } = parseObject(text) as RpcAnswer;
  if (typeof error === 'object' && error !== null) {
    throw fromRpcError(error, readRetryAfter(headers));
  }
  if (status === 401) {
    throw new LedgerEventsError('UNAUTHORIZED', `${url} requires a valid token: ${String(error)}`);
  }
  if (status !== 200 || !Array.isArray(result?.data)) {
    throw new LedgerEventsError('UNEXPECTED_ANSWER', `${url} answered with status ${status}`);
  }
  const { data, nextCursor = null } = result;
  return { data, nextCursor };
}

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
