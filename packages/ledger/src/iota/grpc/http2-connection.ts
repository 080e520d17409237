import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type OutgoingHttpHeaders,
} from 'node:http2';

/** Pings while calls are open, and the time limit of their answers. */
export interface KeepAlive {
  readonly everyMs: number;
  readonly timeoutMs: number;
}

/** Of one stream. The window of a connection does not have to grow, since Node opens it again at once. */
const WINDOW_BYTES = 2 ** 20;

/** A connection to a node, which keeps the process running only while calls are open. */
export class Http2Connection {
  #calls = 0;
  readonly #hastening: AnswerHastening;

  private constructor(
    private readonly session: ClientHttp2Session,
    private readonly keepAlive: KeepAlive,
  ) {
    this.#hastening = new AnswerHastening(session);
    const timer = setInterval(() => this.ping(), keepAlive.everyMs).unref();
    session.once('close', () => clearInterval(timer)).unref();
  }

  /**
   * Connects to `http(s)://host:port`. Rejects with the reason if the server has not sent the settings of
   * HTTP/2 within `timeoutMs`: nothing else shows that calls would reach one.
   */
  static open(origin: string, timeoutMs: number, keepAlive: KeepAlive): Promise<Http2Connection> {
    return new Promise((resolve, reject) => {
      const session = connect(origin, {
        settings: { enablePush: false, initialWindowSize: WINDOW_BYTES },
        // Otherwise large messages of many calls at once would reset calls.
        maxSessionMemory: Number.MAX_SAFE_INTEGER,
      });
      const fail = (reason: string) => {
        clearTimeout(timer);
        reject(new Error(reason));
        session.destroy();
      };
      const timer = setTimeout(() => fail('no connection in time'), timeoutMs);
      session
        .on('error', (error: Error) => fail(textOf(error)))
        .once('close', () => fail('the connection was closed'))
        .once('remoteSettings', () => {
          clearTimeout(timer);
          resolve(new Http2Connection(session, keepAlive));
        });
    });
  }

  /** False after a loss, and as soon as the server has announced that it ends. */
  get isOpen(): boolean {
    return !this.session.closed && !this.session.destroyed;
  }

  onClose(then: () => void): void {
    this.session.once('close', then);
  }

  /** `isHastened`: see `AnswerHastening`. Throws for headers that HTTP/2 does not allow. */
  request(headers: OutgoingHttpHeaders, isHastened: boolean): ClientHttp2Stream {
    const stream = this.session.request(headers);
    if (this.#calls++ === 0) this.session.ref();
    stream.once('close', () => {
      if (--this.#calls === 0) this.session.unref();
    });
    if (isHastened) this.#hastening.await(stream);
    return stream;
  }

  /** Open calls continue. */
  close(): void {
    this.session.close();
  }

  private ping(): void {
    if (this.#calls === 0 || !this.isOpen) return;
    const lost = new Error('the node does not answer pings');
    const timer = setTimeout(() => this.session.destroy(lost), this.keepAlive.timeoutMs).unref();
    this.session.ping(() => clearTimeout(timer));
  }
}

/** An `AggregateError`, with one failure for each address of a host, has no message. */
function textOf(error: Error): string {
  return error.message || ((error as NodeJS.ErrnoException).code ?? String(error));
}

/** So long after its first part, an answer was held up. */
const HELD_UP_MS = 30;
/** Pauses before the pings. */
const PAUSES_MS = [2, 4, 8, 16];

/**
 * Some nodes send the second part of an answer only once the first is acknowledged (Nagle's algorithm), and a
 * kernel that has nothing to send acknowledges after 40 ms. As soon as a node has held up an answer, pings
 * acknowledge at once. One for each call would not do: its answer, too, has to be acknowledged, and holds up
 * what follows.
 */
class AnswerHastening {
  #isNeeded = false;
  #awaited = 0;
  #unanswered = 0;
  #next: NodeJS.Timeout | undefined;

  constructor(private readonly session: ClientHttp2Session) {}

  /** Hastens the answer to a call that has just been sent. */
  await(stream: ClientHttp2Stream): void {
    let beganAt = Infinity;
    this.#awaited += 1;
    this.begin();
    stream
      .once('response', () => {
        beganAt = performance.now();
        this.begin();
      })
      .once('end', () => {
        if (performance.now() - beganAt >= HELD_UP_MS) this.#isNeeded = true;
      })
      .once('close', () => (this.#awaited -= 1));
  }

  /** Anew after every request, which acknowledges like a ping, and after the first part of every answer. */
  private begin(): void {
    clearTimeout(this.#next);
    if (this.#isNeeded) this.pingAfter(PAUSES_MS);
  }

  private pingAfter([pauseMs, ...later]: readonly number[]): void {
    if (pauseMs === undefined) return;
    this.#next = setTimeout(() => {
      if (this.#awaited === 0 || this.session.closed || this.session.destroyed) return;
      if (this.#unanswered < PAUSES_MS.length) {
        this.#unanswered += 1;
        this.session.ping(() => (this.#unanswered -= 1));
      }
      this.pingAfter(later);
    }, pauseMs).unref();
  }
}
