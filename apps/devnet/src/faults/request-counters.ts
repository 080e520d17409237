/** Counts requests to the node since the start or the last reset, for tests that assert "submitted once". */
export class RequestCounters {
  readonly #requests = new Map<string, number>();
  readonly #submissions = new Map<string, number>();
  #executions = 0;

  countRequest(method: string): void {
    this.#requests.set(method, (this.#requests.get(method) ?? 0) + 1);
  }

  /** Records that a transaction reached the node, with any outcome. */
  countSubmission(digest: string): void {
    this.#submissions.set(digest, (this.#submissions.get(digest) ?? 0) + 1);
  }

  /** Counts an executed transaction, except those of the faucet, which are not submitted. */
  countExecution(digest: string): void {
    if (this.#submissions.has(digest)) this.#executions += 1;
  }

  reset(): void {
    this.#requests.clear();
    this.#submissions.clear();
    this.#executions = 0;
  }

  /** `{requests: {method: n}, executed: n, submissions: {digest: n}}`. */
  snapshot(): { requests: object; executed: number; submissions: object } {
    return {
      requests: Object.fromEntries(this.#requests),
      executed: this.#executions,
      submissions: Object.fromEntries(this.#submissions),
    };
  }
}
