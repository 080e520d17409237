/** One event of a stream. */
export interface StreamedEvent {
  readonly type: string;
  readonly id: string;
  readonly data: unknown;
}

export interface EventStream {
  readonly status: number;
  readonly headers: Headers;
  /** Of an answer that is no stream. */
  readonly body: unknown;
  /** All that have arrived so far. */
  readonly events: readonly StreamedEvent[];
  /** Also of a heartbeat. */
  readonly lastId: string;
  /** How the stream ended; null: it goes on. */
  readonly ended: 'in order' | 'cut off' | null;
  /** The data of the events of a type. */
  of<Data>(type: string): Data[];
  close(): void;
}

export interface StreamOptions {
  readonly token?: string | undefined;
  readonly lastEventId?: string | undefined;
}

/**
 * Opens a stream of server-sent events, as the HTML standard describes it, and reads it until it ends or is closed. Resolves with
 * the first block.
 */
export async function openEventStream(
  url: string,
  { token, lastEventId }: StreamOptions = {},
): Promise<EventStream> {
  const client = new AbortController();
  const response = await fetch(url, {
    signal: client.signal,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
  });
  const isStream = response.headers.get('content-type') === 'text/event-stream';
  const events: StreamedEvent[] = [];
  const state = { lastId: '', ended: null as EventStream['ended'] };
  const begun = Promise.withResolvers<void>();
  if (isStream) {
    void readBlocks(response.body!, (block) => {
      const event = parse(block, state.lastId);
      state.lastId = event.id;
      if (event.data !== undefined) events.push(event);
      begun.resolve();
    })
      .then(
        () => (state.ended = 'in order'),
        () => (state.ended = 'cut off'),
      )
      .finally(begun.resolve);
    await begun.promise;
  }
  return {
    status: response.status,
    headers: response.headers,
    body: isStream ? null : await response.json(),
    events,
    get lastId() {
      return state.lastId;
    },
    get ended() {
      return state.ended;
    },
    of: <Data>(type: string) =>
      events.filter((event) => event.type === type).map(({ data }) => data as Data),
    close: () => client.abort(),
  };
}

async function readBlocks(
  body: ReadableStream<Uint8Array>,
  take: (block: string) => void,
): Promise<void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks) take(block);
  }
}

function parse(block: string, lastId: string): StreamedEvent {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const colon = line.indexOf(': ');
    fields.set(line.slice(0, colon), line.slice(colon + 2));
  }
  const data = fields.get('data');
  return {
    type: fields.get('event') ?? 'message',
    id: fields.get('id') ?? lastId,
    data: data === undefined ? undefined : (JSON.parse(data) as unknown),
  };
}
