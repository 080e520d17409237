import { parseObject } from '../gas-station/read-fields.js';
import { LONGEST_TIMER_MS } from '../calls/delays.js';
import { fromRpcError, LedgerEventsError, type RpcError } from './ledger-events-error.js';

/**
 * The part of a WebSocket that this package uses: browsers, Node 22 and later, and the package `ws` have one.
 */
export interface WebSocketLike {
  addEventListener(type: 'open', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'error', listener: (event: object) => void): void;
  addEventListener(
    type: 'close',
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void;
  send(text: string): void;
  close(): void;
}

/** Opens a global WebSocket. Throws `TypeError` where the platform has none. */
export function openWebSocket(url: string): WebSocketLike {
  if (typeof globalThis.WebSocket !== 'function') {
    throw new TypeError('There is no global WebSocket: pass webSocket');
  }
  return new globalThis.WebSocket(url);
}

interface RpcMessage {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

interface Pending {
  readonly resolve: (answer: RpcMessage) => void;
  readonly reject: (reason: LedgerEventsError) => void;
}

/** Id of the opening; the ids of calls follow. */
const OPENING = 0;
/** Id of the call that only checks whether the connection is alive. */
const PROBE = -1;

export interface RpcSocketOptions {
  /** The duration of silence, in ms, after which the connection is checked. */
  readonly silenceMs: number;
  /** Time limit of the answer to that check, in ms. */
  readonly timeoutMs: number;
  /** Takes the params of each notification. */
  readonly onNotification: (params: unknown) => void;
  /** Called once, when the connection has ended or could not be opened. */
  readonly onEnd: (reason: LedgerEventsError) => void;
}

/** JSON-RPC over a WebSocket. */
export class RpcSocket {
  /** The opening, and each unanswered call, by id. */
  readonly #pending = new Map<unknown, Pending>();
  #lastId = OPENING;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reason: LedgerEventsError | null = null;

  /** Resolves when calls can be sent. Rejects with `LedgerEventsError`. */
  readonly opened = this.answerTo(OPENING);

  constructor(
    private readonly socket: WebSocketLike,
    private readonly options: RpcSocketOptions,
  ) {
    socket.addEventListener('open', () => {
      this.watchForSilence();
      this.settle(OPENING, {});
    });
    socket.addEventListener('message', ({ data }) => this.take(data));
    socket.addEventListener('error', (event) => this.end(lost(`it failed${describe(event)}`)));
    socket.addEventListener('close', ({ code, reason }) =>
      this.end(lost(`it was closed with code ${code} ${reason}`)),
    );
  }

  /** Throws `LedgerEventsError`. */
  async call(method: string, params: readonly unknown[]): Promise<unknown> {
    if (this.#reason !== null) throw this.#reason;
    this.#lastId += 1;
    const answer = this.answerTo(this.#lastId);
    this.send(this.#lastId, method, params);
    const { error, result } = await answer;
    if (error) throw fromRpcError(error as RpcError);
    return result;
  }

  close(): void {
    this.end(lost('it was closed here'));
  }

  private answerTo(id: number): Promise<RpcMessage> {
    return new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject }));
  }

  /** An answered call stays answered, even if the connection ends at the same moment. */
  private settle(id: unknown, answer: RpcMessage): void {
    this.#pending.get(id)?.resolve(answer);
    this.#pending.delete(id);
  }

  private send(id: number, method: string, params: readonly unknown[]): void {
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  }

  private take(data: unknown): void {
    if (this.#reason !== null) return;
    this.watchForSilence();
    const message: RpcMessage = typeof data === 'string' ? parseObject(data) : {};
    if (message.jsonrpc !== '2.0') {
      const text = 'The service sent a message that is not JSON-RPC';
      this.end(new LedgerEventsError('UNEXPECTED_ANSWER', text));
    } else if (message.method !== undefined) {
      this.options.onNotification(message.params);
    } else {
      this.settle(message.id, message);
    }
  }

  /**
   * A connection that was lost without being closed, for example during a computer's sleep, looks like an
   * idle one. Any call distinguishes them; this one is cheap and has no effect.
   */
  private watchForSilence(): void {
    const { silenceMs, timeoutMs } = this.options;
    this.startTimer(silenceMs, () => {
      this.send(PROBE, 'ledger_unsubscribeEvent', [0]);
      this.startTimer(timeoutMs, () => this.end(lost('the service no longer answers')));
    });
  }

  private startTimer(ms: number, whenOver: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(whenOver, Math.min(ms, LONGEST_TIMER_MS));
  }

  private end(reason: LedgerEventsError): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    clearTimeout(this.#timer);
    for (const { reject } of this.#pending.values()) reject(reason);
    this.options.onEnd(reason);
    this.socket.close();
  }
}

function lost(how: string): LedgerEventsError {
  return new LedgerEventsError('UNREACHABLE', `The connection to the service ended: ${how}`);
}

/** `ws` reports more about a failure than browsers do. */
function describe(event: object): string {
  return 'message' in event && typeof event.message === 'string' ? `: ${event.message}` : '';
}
