/** A range of delays in ms; each delay is random within it. */
export interface LagRange {
  readonly minMs: number;
  readonly maxMs: number;
}

interface Waiting {
  dueAt: number;
  readonly run: () => void;
}

/** Runs steps later, each after a random delay and never before an earlier one. */
export class DelayedSteps {
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;
  #lastDueAt = 0;
  #range: LagRange;

  constructor(range: LagRange) {
    this.#range = range;
  }

  /** Waiting steps run no later than steps added now. */
  set range(range: LagRange) {
    this.#range = range;
    const latest = performance.now() + range.maxMs;
    for (const step of this.#waiting) step.dueAt = Math.min(step.dueAt, latest);
    this.#lastDueAt = Math.min(this.#lastDueAt, latest);
    this.schedule();
  }

  add(run: () => void): void {
    const { minMs, maxMs } = this.#range;
    const takesMs = minMs + Math.random() * (maxMs - minMs);
    this.append(run, performance.now() + takesMs);
  }

  /** Adds a step that runs together with the one before it. */
  addToLast(run: () => void): void {
    this.append(run, 0);
  }

  /** Runs every step now. */
  finish(): void {
    clearTimeout(this.#timer);
    const steps = this.#waiting;
    this.#waiting = [];
    for (const { run } of steps) run();
  }

  private append(run: () => void, dueAt: number): void {
    this.#lastDueAt = Math.max(this.#lastDueAt, dueAt);
    this.#waiting.push({ run, dueAt: this.#lastDueAt });
    if (this.#waiting.length === 1) this.schedule();
  }

  private runDue(): void {
    const now = performance.now();
    const due = this.#waiting.findIndex(({ dueAt }) => dueAt > now);
    const steps = this.#waiting.splice(0, due < 0 ? this.#waiting.length : due);
    for (const { run } of steps) run();
    this.schedule();
  }

  private schedule(): void {
    clearTimeout(this.#timer);
    const [next] = this.#waiting;
    if (!next) return;
    const restMs = Math.max(0, Math.ceil(next.dueAt - performance.now()));
    this.#timer = setTimeout(() => this.runDue(), restMs).unref();
  }
}
