/** Whether the process is stopping, which turns its readiness off. */
export class ServiceState {
  readonly #stop = new AbortController();
  readonly #cut = new AbortController();
  /** By `performance.now()`: requests that have no outcome by then are answered with that. */
  answerBy = Infinity;

  get stopping(): boolean {
    return this.#stop.signal.aborted;
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Calls `act` once, when the process is told to stop: before the listener closes, at the beginning of the drain. */
  onStop(act: () => void): void {
    this.#stop.signal.addEventListener('abort', act, { once: true });
  }

  cutConnections(): void {
    this.#cut.abort();
  }

  /** Calls `act` once, shortly before a stopping process has to end: to cut connections that still hold a request. */
  onCut(act: () => void): void {
    this.#cut.signal.addEventListener('abort', act, { once: true });
  }
}
