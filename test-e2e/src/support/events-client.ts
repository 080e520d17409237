import { compareEventIds, type EventId, type StoredEventRecord } from '@forecourt/contracts';

/** A page as clients see it. */
export interface EventPage {
  readonly data: readonly StoredEventRecord[];
  readonly nextCursor: string | null;
}

/** A plain client of the ledger's events, with `fetch` and `WebSocket` only. */
export interface RpcAnswer {
  readonly status: number;
  readonly body: {
    readonly id?: unknown;
    readonly result?: unknown;
    readonly error?: { readonly code: number; readonly message: string };
  };
}

/** Sends one POST to `/rpc`; a text `body` is sent unchanged. */
export async function postRpc(
  gatewayUrl: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<RpcAnswer> {
  const response = await fetch(`${gatewayUrl}/rpc`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? {} : (JSON.parse(text) as RpcAnswer['body']),
  };
}

/** Returns a page; throws with the error otherwise. */
export async function getEvents(gatewayUrl: string, ...params: unknown[]): Promise<EventPage> {
  const request = { jsonrpc: '2.0', id: 1, method: 'ledger_getEvents', params };
  const { body } = await postRpc(gatewayUrl, request);
  if (body.error) throw new Error(`${body.error.code} ${body.error.message}`);
  return body.result as EventPage;
}

/** Returns every event that satisfies the criterion, or those from a cursor on, page by page. */
export async function getAllEvents(
  gatewayUrl: string,
  criterion: unknown,
  limit = 1_000,
  ordering: unknown = null,
  from: number | null = null,
): Promise<StoredEventRecord[]> {
  const found: StoredEventRecord[] = [];
  let cursor: string | number | null = from;
  do {
    const page: EventPage = await getEvents(gatewayUrl, criterion, cursor, limit, ordering);
    found.push(...page.data);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found;
}

/** The records that follow the event with this id, which must be among them. */
export function recordsAfter(
  records: readonly StoredEventRecord[],
  last: EventId,
): StoredEventRecord[] {
  const position = records.findIndex(({ id }) => compareEventIds(id, last) === 0);
  if (position === -1) throw new Error(`no event ${JSON.stringify(last)}`);
  return records.slice(position + 1);
}

export interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
  readonly params?: {
    readonly subscription: number;
    readonly result?: StoredEventRecord;
    readonly error?: { readonly code: number; readonly message: string };
  };
}
