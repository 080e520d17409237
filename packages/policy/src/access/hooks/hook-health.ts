import { gatewayLimits, RestAfterFailure } from '@forecourt/resilience';
import type { Initiator } from '../access-subject.js';
import { HookClosed } from './hook-closed.js';

const FAILURES = gatewayLimits.hookFailures.default;
/** Failures of one caller that count towards closing a hook to all callers: it takes three callers. */
const COUNTED_OF_ONE = 4;
const REST_MS = 5_000;
const REST_OF_ONE = { after: FAILURES, firstMs: REST_MS, tries: 1 };
const REST_OF_ALL = { firstMs: REST_MS, tries: 3 };
const MAX_FAILING = 10_000;

interface Failing {
  readonly since: number;
  readonly rest: RestAfterFailure;
}

/**
 * Whose calls a hook rests from. A caller whose calls fail one after another closes the hook to itself only,
 * because a caller can make a transaction that is slow to decide. The hook is closed to all callers when
 * calls of several callers fail and none succeeds in the meantime.
 */
export class HookHealth {
  readonly #failing = new Map<string, Failing>();
  /** Failures since the last success, by caller. */
  readonly #suspected = new Map<string, number>();
  #lastSuccess = -Infinity;
  readonly #ofAll = new RestAfterFailure(REST_OF_ALL);

  /** The reason why a call would be refused now; null: it would be made. */
  refusalOf({ caller, user = caller }: Initiator): Error | null {
    const own = this.#failing.get(user);
    if (own?.rest.isClosed) {
      return new HookClosed(this.#lastSuccess <= own.since);
    }
    return this.#ofAll.isClosed ? new HookClosed(true) : null;
  }

  /** Throws `HookClosed`, and what `call` throws. */
  async run<T>(by: Initiator, call: () => Promise<T>): Promise<T> {
    const refusal = this.refusalOf(by);
    if (refusal) throw refusal;
    const { caller, user = caller } = by;
    const began = performance.now();
    const isTry = this.#ofAll.hasFailed;
    this.#failing.get(user)?.rest.begin();
    this.#ofAll.begin();
    try {
      const answer = await call();
      this.succeed(user);
      return answer;
    } catch (error) {
      this.fail(user, began, isTry);
      throw error;
    }
  }

  private succeed(user: string): void {
    this.#lastSuccess = performance.now();
    this.#suspected.clear();
    this.#failing.delete(user);
    if (this.#ofAll.hasFailed) this.#failing.clear();
    this.#ofAll.succeed();
  }

  private fail(user: string, began: number, isTry: boolean): void {
    const rest = this.#failing.get(user)?.rest ?? new RestAfterFailure(REST_OF_ONE);
    rest.fail({ isLasting: isTry });
    this.#failing.set(user, { since: this.#failing.get(user)?.since ?? began, rest });
    if (this.#failing.size > MAX_FAILING) this.#failing.delete(this.#failing.keys().next().value!);
    if (isTry) this.#ofAll.forget();
    // A success of another call meanwhile shows that the hook is up.
    if (this.#lastSuccess > began || this.#ofAll.hasFailed) return;
    this.#suspected.set(user, Math.min(COUNTED_OF_ONE, (this.#suspected.get(user) ?? 0) + 1));
    const counted = [...this.#suspected.values()].reduce((sum, one) => sum + one, 0);
    if (counted >= FAILURES) this.#ofAll.fail();
  }
}
