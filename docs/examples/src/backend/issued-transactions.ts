/** More than the client makes when it repeats a call that is not answered. */
const MAX_ATTEMPTS = 30;

/**
 * The transactions that visitors may have executed: exactly those that were built for them. Otherwise a
 * visitor could have a harmless transaction built, and another one executed with its coins.
 */
export class IssuedTransactions {
  readonly #issued = new Map<number, { readonly txBytes: string; attemptsLeft: number }>();

  /** Keeps the newest `most`. */
  constructor(private readonly most: number) {}

  add(reservationId: number, txBytes: string): void {
    this.#issued.set(reservationId, { txBytes, attemptsLeft: MAX_ATTEMPTS });
    if (this.#issued.size <= this.most) return;
    const [oldest] = this.#issued.keys();
    this.#issued.delete(oldest!);
  }

  /** Takes one of the attempts to execute it; false when it was not issued, or there is none left. */
  takeAttempt(reservationId: number, txBytes: string): boolean {
    const issued = this.#issued.get(reservationId);
    if (issued?.txBytes !== txBytes || issued.attemptsLeft === 0) return false;
    issued.attemptsLeft -= 1;
    return true;
  }
}
