/**
 * Bytes of one client's messages that are started in one turn of the event loop. Node reads up to 2 MB from a socket at once;
 * parsing that much for one client must not delay all others.
 */
const BYTES_PER_TURN = 32_768;

/** Shares each turn of the event loop: one client is served no more in it with many connections than with one. */
export class TurnShares<Client> {
  /** Bytes started in this turn. */
  readonly #started = new Map<Client, number>();
  readonly #waiting = new Map<Client, (() => void)[]>();
  #isNextTurnPlanned = false;

  hasShare(client: Client): boolean {
    return (this.#started.get(client) ?? 0) < BYTES_PER_TURN;
  }

  spend(client: Client, bytes: number): void {
    this.#started.set(client, (this.#started.get(client) ?? 0) + bytes);
    this.planNextTurn();
  }

  /** Calls `proceed` in a later turn, when the client has a share again; in the order of the calls. */
  wait(client: Client, proceed: () => void): void {
    const waiting = this.#waiting.get(client);
    if (waiting) waiting.push(proceed);
    else this.#waiting.set(client, [proceed]);
    this.planNextTurn();
  }

  private planNextTurn(): void {
    if (this.#isNextTurnPlanned) return;
    this.#isNextTurnPlanned = true;
    setImmediate(() => this.beginTurn());
  }

  private beginTurn(): void {
    this.#isNextTurnPlanned = false;
    this.#started.clear();
    for (const [client, waiting] of this.#waiting) {
      while (waiting.length > 0 && this.hasShare(client)) waiting.shift()!();
      if (waiting.length === 0) this.#waiting.delete(client);
    }
    if (this.#waiting.size > 0) this.planNextTurn();
  }
}
