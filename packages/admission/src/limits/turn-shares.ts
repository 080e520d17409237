import { eventsLimits } from '@forecourt/resilience';

/**
 * How long the messages of one client are handled in one turn of the event loop before another client has its
 * turn.
 */
const SHARE_MS = eventsLimits.messageTime.default;
/**
 * A client that has used up its share rests for this multiple of the time it used: it gets at most a quarter
 * of the event loop.
 */
const REST_FACTOR = 3;

/**
 * Shares the event loop among clients: however long one client's messages take to parse and handle, other
 * clients wait for one of them at most. Clients that wait have one turn of the event loop each, so what
 * arrives meanwhile does not wait for all of them. A client with many connections gets no larger share than
 * with one.
 */
export class TurnShares<Client> {
  /** Milliseconds used in this turn. */
  readonly #used = new Map<Client, number>();
  readonly #resting = new Set<Client>();
  readonly #waiting = new Map<Client, (() => void)[]>();
  #isNextTurnPlanned = false;

  hasShare(client: Client): boolean {
    return !this.#resting.has(client) && (this.#used.get(client) ?? 0) < SHARE_MS;
  }

  /** Counts the time that a message of `client` has taken without a break. */
  spend(client: Client, milliseconds: number): void {
    const used = (this.#used.get(client) ?? 0) + milliseconds;
    this.#used.set(client, used);
    if (used >= SHARE_MS) this.rest(client, used * REST_FACTOR);
    else this.planNextTurn();
  }

  /** Resolves in the first turn in which the client has a share: at once, if it has one now. */
  async take(client: Client): Promise<void> {
    while (!this.hasShare(client)) {
      await new Promise<void>((resolve) => this.wait(client, resolve));
    }
  }

  /** Calls `proceed` in a later turn, when the client has a share again; first come, first served. */
  wait(client: Client, proceed: () => void): void {
    const waiting = this.#waiting.get(client);
    if (waiting) waiting.push(proceed);
    else this.#waiting.set(client, [proceed]);
    if (!this.#resting.has(client)) this.planNextTurn();
  }

  private rest(client: Client, milliseconds: number): void {
    if (this.#resting.has(client)) return;
    this.#resting.add(client);
    setTimeout(() => {
      this.#resting.delete(client);
      this.#used.delete(client);
      // Not from here: while timers of many clients are due, the event loop reads from no socket.
      if (this.#waiting.has(client)) this.planNextTurn();
    }, milliseconds).unref();
  }

  private planNextTurn(): void {
    if (this.#isNextTurnPlanned) return;
    this.#isNextTurnPlanned = true;
    setImmediate(() => this.beginTurn());
  }

  private beginTurn(): void {
    this.#isNextTurnPlanned = false;
    this.#used.clear();
    const next = this.findNext();
    if (next === undefined) return;
    this.serve(next);
    this.planNextTurn();
  }

  /** The client that has waited longest, of those that may proceed. */
  private findNext(): Client | undefined {
    for (const client of this.#waiting.keys()) if (!this.#resting.has(client)) return client;
    return undefined;
  }

  private serve(client: Client): void {
    const waiting = this.#waiting.get(client)!;
    // To the end of the map, whose order is that of the turns.
    this.#waiting.delete(client);
    this.#waiting.set(client, waiting);
    while (waiting.length > 0 && this.hasShare(client)) waiting.shift()!();
    if (waiting.length === 0) this.#waiting.delete(client);
  }
}
