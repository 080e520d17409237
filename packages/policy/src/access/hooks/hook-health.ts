import type { Causer } from '../access-subject.js';

/** Number of consecutive failures after which a hook is not called for a while. */
const FAILURES_TO_CLOSE = 10;
/** Failures of one caller that count towards closing a hook to all callers: it takes three callers. */
const COUNTED_OF_ONE = 4;
const CLOSED_FOR_MS = 5_000;
/** Concurrent calls that test whether a hook that was down is up again. */
const MAX_PROBES = 3;
const MAX_FAILING = 10_000;

/** A hook is not called because its latest calls failed. */
export class HookDown extends Error {
  override readonly name = 'HookDown';
  override readonly message = 'its latest calls failed';
}

/** A hook is not called for this caller: its calls failed one after another while calls of others succeeded. */
export class HookFailsForCaller extends Error {
  override readonly name = 'HookFailsForCaller';
  override readonly message =
    'the latest calls for this caller failed, and those for others did not';
}

interface Failing {
  readonly since: number;
  failures: number;
  closedUntil: number;
}

/**
 * The state of a hook: up or down. A caller whose calls fail one after another closes the hook to itself only, because a
 * caller can make a transaction that is slow to decide. The hook is closed to all callers when calls of several callers
 * fail and none succeeds in the meantime.
 */
export class HookHealth {
  readonly #failing = new Map<string, Failing>();
  /** Failures since the last success, by caller. */
  readonly #suspected = new Map<string, number>();
  #lastSuccess = -Infinity;
  /** Null: the hook is up. */
  #downUntil: number | null = null;
  #probes = 0;

  /** The reason why a call would be refused now; null: it would be made. */
  refusalOf({ caller, user = caller }: Causer): Error | null {
    const now = performance.now();
    const own = this.#failing.get(user);
    if (own && now < own.closedUntil) {
      return this.#lastSuccess > own.since ? new HookFailsForCaller() : new HookDown();
    }
    if (this.#downUntil === null) return null;
    return now < this.#downUntil || this.#probes >= MAX_PROBES ? new HookDown() : null;
  }

  /** Throws `HookDown`, `HookFailsForCaller`, and what `call` throws. */
  async run<T>(by: Causer, call: () => Promise<T>): Promise<T> {
    const refusal = this.refusalOf(by);
    if (refusal) throw refusal;
    const { caller, user = caller } = by;
    const began = performance.now();
    const own = this.#failing.get(user);
    const isProbe = this.#downUntil !== null;
    if (isProbe) this.#probes += 1;
    // A caller whose calls fail tests the hook with one call at a time.
    if (own && own.failures >= FAILURES_TO_CLOSE) own.closedUntil = began + CLOSED_FOR_MS;
    try {
      const answer = await call();
      this.succeed(user);
      return answer;
    } catch (error) {
      this.fail(user, began, isProbe);
      throw error;
    } finally {
      if (isProbe) this.#probes -= 1;
    }
  }

  private succeed(user: string): void {
    this.#lastSuccess = performance.now();
    this.#suspected.clear();
    this.#failing.delete(user);
    if (this.#downUntil === null) return;
    this.#downUntil = null;
    this.#failing.clear();
  }

  private fail(user: string, began: number, isProbe: boolean): void {
    const now = performance.now();
    const own = this.#failing.get(user) ?? { since: began, failures: 0, closedUntil: 0 };
    own.failures += 1;
    if (isProbe || own.failures >= FAILURES_TO_CLOSE) own.closedUntil = now + CLOSED_FOR_MS;
    this.#failing.set(user, own);
    if (this.#failing.size > MAX_FAILING) this.#failing.delete(this.#failing.keys().next().value!);
    // A success of another call meanwhile shows that the hook is up.
    if (this.#lastSuccess > began || this.#downUntil !== null) return;
    this.#suspected.set(user, Math.min(COUNTED_OF_ONE, (this.#suspected.get(user) ?? 0) + 1));
    const counted = [...this.#suspected.values()].reduce((sum, one) => sum + one, 0);
    if (counted >= FAILURES_TO_CLOSE) this.#downUntil = now + CLOSED_FOR_MS;
  }
}
