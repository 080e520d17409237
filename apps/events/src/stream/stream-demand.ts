import { setTimeout as sleep } from 'node:timers/promises';

/** A time in which subscriptions need the stream. */
class Demand {
  readonly #ended = new AbortController();
  readonly #fixed = Promise.withResolvers<void>();
  #isFixed = false;

  /** Aborts when the stream may be idle again. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** Whether subscriptions may rely on the stream's position: it delivers every event from there on. */
  get isFixed(): boolean {
    return this.#isFixed;
  }

  get fixed(): Promise<void> {
    return this.#fixed.promise;
  }

  fix(): void {
    this.#isFixed = true;
    this.#fixed.resolve();
  }

  end(): void {
    this.#ended.abort();
  }
}

/**
 * Knows whether subscriptions need the stream: from the first one until some time after the last one has
 * ended.
 */
export class StreamDemand {
  #current: Demand | null = null;
  #holders = 0;
  #lingering: NodeJS.Timeout | undefined;
  #idle: AbortController | null = null;

  constructor(private readonly lingerMs: number) {}

  get current(): Demand | null {
    return this.#current;
  }

  /**
   * Resolves when the stream's position is fixed for at least the lingering time: at the newest event or, if
   * the upstream does not respond, at an older one.
   */
  async raise(): Promise<void> {
    this.#current ??= new Demand();
    this.#idle?.abort();
    this.#idle = null;
    await this.#current.fixed;
    this.linger();
  }

  /** Keeps a raised demand up until `release`. */
  hold(): void {
    this.#holders += 1;
  }

  release(): void {
    this.#holders -= 1;
    this.linger();
  }

  /** Waits until there is a demand, at the longest for `ms` or until `signal` aborts. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#current !== null) return;
    this.#idle = new AbortController();
    const awoken = AbortSignal.any([signal, this.#idle.signal]);
    await sleep(ms, undefined, { signal: awoken }).catch(() => undefined);
  }

  private linger(): void {
    clearTimeout(this.#lingering);
    this.#lingering = setTimeout(() => {
      if (this.#holders > 0) return;
      this.#current?.end();
      this.#current = null;
    }, this.lingerMs).unref();
  }
}
