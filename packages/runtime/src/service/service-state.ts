/** Whether the process is on its way out; readiness goes off with it. */
export class ServiceState {
  readonly #stop = new AbortController();
  /** On the clock of `performance.now()`: what has no outcome by then is given up with an answer that says so. */
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
}
