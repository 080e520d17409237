import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';

/** So long after its first part, an answer was held up. */
const HELD_UP_MS = 30;
/** Pauses before the pings. */
const PAUSES_MS = [2, 4, 8, 16];

/**
 * Some nodes send the second part of an answer only once the first is acknowledged (Nagle's algorithm), and a kernel that
 * has nothing to send acknowledges after 40 ms. As soon as a node has held up an answer, pings acknowledge at once. One for
 * each call would not do: its answer, too, has to be acknowledged, and holds up what follows.
 */
export class AnswerHastening {
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
