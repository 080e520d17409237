/** Whether the process is stopping; its readiness is off then. */
export class ServiceState {
  readonly #stop = new AbortController();
  readonly #cut = new AbortController();
  readonly #fail = new AbortController();
  /** By `performance.now()`: requests without an outcome at this time are answered without it. */
  answerBy = Infinity;

  get stopping(): boolean {
    return this.#stop.signal.aborted;
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Ends the process with 1: a service cannot do its work. */
  fail(): void {
    this.#fail.abort();
  }

  onFail(act: () => void): void {
    this.#fail.signal.addEventListener('abort', act, { once: true });
  }

  /**
   * Calls `act` once, when the process receives its stop signal: before the listener closes, at the beginning
   * of the drain.
   */
  onStop(act: () => void): void {
    this.#stop.signal.addEventListener('abort', act, { once: true });
  }

  cutConnections(): void {
    this.#cut.abort();
  }

  /**
   * Calls `act` once, shortly before a stopping process must end: to cut connections with an unanswered
   * request.
   */
  onCut(act: () => void): void {
    this.#cut.signal.addEventListener('abort', act, { once: true });
  }
}
