import type { StoredEventRecord } from '@forecourt/contracts';
import type { Message } from './events-client.js';

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
