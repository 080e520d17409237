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
  const at = records.findIndex(({ id }) => compareEventIds(id, last) === 0);
  if (at === -1) throw new Error(`no event ${JSON.stringify(last)}`);
  return records.slice(at + 1);
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

/** A WebSocket at `/rpc`. */
export class EventsSocket {
  readonly #socket: WebSocket;
  readonly #replies = new Map<number, (message: Message) => void>();
  readonly #messages: Message[] = [];
  #wake: () => void = () => undefined;
  #nextId = 1;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    this.closed = new Promise((resolve) => {
      socket.addEventListener('close', ({ code, reason }) => resolve({ code, reason }));
    });
    void this.closed.then(() => this.#wake());
    socket.addEventListener('message', ({ data }) =>
      this.take(JSON.parse(String(data)) as Message),
    );
  }

  /** Throws if the connection is refused. */
  static async open(gatewayUrl: string): Promise<EventsSocket> {
    const socket = new WebSocket(`${gatewayUrl.replace('http', 'ws')}/rpc`);
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve());
      socket.addEventListener('error', () => reject(new Error('connection refused')));
    });
    return new EventsSocket(socket);
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  send(data: string | Uint8Array<ArrayBuffer>): void {
    this.#socket.send(data);
  }

  async call(method: string, params: unknown[]): Promise<Message> {
    const id = this.#nextId++;
    const reply = new Promise<Message>((resolve, reject) => {
      this.#replies.set(id, resolve);
      void this.closed.then(() => reject(new Error('the connection is closed')));
    });
    this.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return reply;
  }

  /** Returns the subscription's id; throws with the error otherwise. */
  async subscribe(filter: unknown, ...resume: unknown[]): Promise<number> {
    const { result, error } = await this.call('ledger_subscribeEvent', [filter, ...resume]);
    if (error) throw new Error(`${error.code} ${error.message}`);
    return result as number;
  }

  /** The next message that is not a reply to a call; null once the connection is closed. */
  async next(): Promise<Message | null> {
    while (this.#messages.length === 0) {
      if (!this.isOpen) return null;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return this.#messages.shift()!;
  }

  /** The next `count` records. */
  async records(count: number): Promise<StoredEventRecord[]> {
    const found: StoredEventRecord[] = [];
    while (found.length < count) {
      const message = await this.next();
      if (!message?.params?.result) throw new Error(`ended: ${JSON.stringify(message)}`);
      found.push(message.params.result);
    }
    return found;
  }

  close(): void {
    this.#socket.close();
  }

  private take(message: Message): void {
    if (message.id !== undefined && message.id !== null) {
      this.#replies.get(message.id)?.(message);
      this.#replies.delete(message.id);
      return;
    }
    this.#messages.push(message);
    this.#wake();
  }
}
