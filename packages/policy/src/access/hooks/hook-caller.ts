import { FairBulkhead, NoPlace, RestAfterFailure } from '@forecourt/resilience';
import { ExponentialBackoff, handleWhen, retry, timeout, TimeoutStrategy } from 'cockatiel';
import {
  type AccessSubject,
  AccessUndecided,
  type Initiator,
  holdersOf,
} from '../access-subject.js';
import {
  type Hook,
  type HookAnswer,
  readHookAnswer,
  readLimitedText,
  SIGNATURE_HEADER,
  signRequest,
  UnusableAnswer,
  writeHookRequest,
} from './hook.js';

const LONGEST_ANSWER = 65_536;
const RETRY_AFTER_MS = 50;
const FIRST_SERVER_ERROR = 500;

/** State of a hook between its calls. */
interface HookState {
  readonly bulkhead: FairBulkhead;
  readonly health: HookHealth;
}

/** Calls hooks, each with its time limit, retries, limit on concurrent calls and circuit breaker. */
export class HookCaller {
  readonly #states = new Map<string, HookState>();

  constructor(
    /** Signs the requests; null: they are not signed. */
    private readonly secret: string | null,
  ) {}

  /** Whether `ask` would call the hook now instead of answering without it. */
  wouldCall(hook: Hook, by: Initiator): boolean {
    const { bulkhead, health } = this.stateOf(hook);
    return health.refusalOf(by) === null && bulkhead.hasRoom(holdersOf(by));
  }

  /**
   * Returns the hook's answer, or applies its `when-down` while the hook is down. Throws `AccessUndecided`
   * when the hook is down and `when-down` is `deny`, when its answer is unusable, when too many calls wait
   * for it, and when only calls of this caller fail. Callers can cause the last three, so `when-down` does
   * not apply to them.
   */
  async ask(hook: Hook, subject: AccessSubject): Promise<HookAnswer> {
    const body = writeHookRequest(hook, subject);
    try {
      const answer = await this.execute(hook, subject, body);
      if (answer instanceof UnusableAnswer) throw answer;
      return answer;
    } catch (cause) {
      const reason = `the hook at ${new URL(hook.url).host}: ${(cause as Error).message}`;
      if (hook.whenDown === 'deny' || !isDown(cause)) throw new AccessUndecided(reason, { cause });
      const decision = hook.whenDown === 'allow' ? 'allow' : 'noDecision';
      return { decision, userMessage: null };
    }
  }

  private execute(hook: Hook, by: Initiator, body: string) {
    const { bulkhead, health } = this.stateOf(hook);
    const backoff = new ExponentialBackoff({ initialDelay: RETRY_AFTER_MS });
    const retries = retry(handleWhen(isFailure), { maxAttempts: hook.retries, backoff });
    const limit = timeout(hook.timeoutMs, TimeoutStrategy.Aggressive);
    const call = () => limit.execute(({ signal }) => this.call(hook, body, signal));
    return bulkhead.run(holdersOf(by), () => retries.execute(() => health.run(by, call)));
  }

  /**
   * Returns an unusable answer instead of throwing it: the hook is up, so that a retry or the breaker would
   * not help.
   */
  private async call(hook: Hook, body: string, signal: AbortSignal) {
    const headers: Record<string, string> = {
      ...hook.headers,
      'content-type': 'application/json',
      ...(this.secret !== null && {
        [SIGNATURE_HEADER]: signRequest(this.secret, body, new Date()),
      }),
    };
    const options = { method: 'POST', headers, body, signal, redirect: 'manual' } as const;
    const response = await fetch(hook.url, options);
    try {
      const text = await readLimitedText(response, LONGEST_ANSWER);
      if (response.status >= FIRST_SERVER_ERROR) throw new Error(`status ${response.status}`);
      if (!response.ok) throw new UnusableAnswer(`status ${response.status}`);
      return readHookAnswer(text);
    } catch (error) {
      if (error instanceof UnusableAnswer) return error;
      throw error;
    }
  }

  private stateOf({ url, timeoutMs, retries, maxConcurrent }: Hook): HookState {
    const key = [url, timeoutMs, retries, maxConcurrent].join(' ');
    let state = this.#states.get(key);
    if (!state) {
      state = { bulkhead: new FairBulkhead(maxConcurrent), health: new HookHealth() };
      this.#states.set(key, state);
    }
    return state;
  }
}

/** Whether a call was made and failed. */
function isFailure(error: unknown): boolean {
  return !(error instanceof HookDown || error instanceof HookFailsForCaller);
}

/** Whether the hook itself seems to have failed. */
function isDown(cause: unknown): boolean {
  return ![UnusableAnswer, NoPlace, HookFailsForCaller].some((one) => cause instanceof one);
}

/** Number of consecutive failures after which a hook is not called for a while. */
const FAILURES_TO_CLOSE = 10;
/** Failures of one caller that count towards closing a hook to all callers: it takes three callers. */
const COUNTED_OF_ONE = 4;
const CLOSED = { firstMs: 5_000 };
/** Concurrent calls that test whether a hook that was down is up again. */
const MAX_PROBES = 3;
const MAX_FAILING = 10_000;

/** A hook is not called because its latest calls failed. */
class HookDown extends Error {
  override readonly name = 'HookDown';
  override readonly message = 'its latest calls failed';
}

/**
 * A hook is not called for this caller: its calls failed one after another while calls of others succeeded.
 */
class HookFailsForCaller extends Error {
  override readonly name = 'HookFailsForCaller';
  override readonly message =
    'the latest calls for this caller failed, and those for others did not';
}

interface Failing {
  readonly since: number;
  failures: number;
  readonly closed: RestAfterFailure;
}

/**
 * The state of a hook: up or down. A caller whose calls fail one after another closes the hook to itself
 * only, because a caller can make a transaction that is slow to decide. The hook is closed to all callers
 * when calls of several callers fail and none succeeds in the meantime.
 */
export class HookHealth {
  readonly #failing = new Map<string, Failing>();
  /** Failures since the last success, by caller. */
  readonly #suspected = new Map<string, number>();
  #lastSuccess = -Infinity;
  readonly #closed = new RestAfterFailure(CLOSED);
  #probes = 0;

  /** The reason why a call would be refused now; null: it would be made. */
  refusalOf({ caller, user = caller }: Initiator): Error | null {
    const own = this.#failing.get(user);
    if (own && own.closed.remainingMs > 0) {
      return this.#lastSuccess > own.since ? new HookFailsForCaller() : new HookDown();
    }
    if (!this.#closed.hasFailed) return null;
    return this.#closed.remainingMs > 0 || this.#probes >= MAX_PROBES ? new HookDown() : null;
  }

  /** Throws `HookDown`, `HookFailsForCaller`, and what `call` throws. */
  async run<T>(by: Initiator, call: () => Promise<T>): Promise<T> {
    const refusal = this.refusalOf(by);
    if (refusal) throw refusal;
    const { caller, user = caller } = by;
    const began = performance.now();
    const own = this.#failing.get(user);
    const isProbe = this.#closed.hasFailed;
    if (isProbe) this.#probes += 1;
    // A caller whose calls fail tests the hook with one call at a time.
    if (own && own.failures >= FAILURES_TO_CLOSE) own.closed.fail();
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
    if (!this.#closed.hasFailed) return;
    this.#closed.succeed();
    this.#failing.clear();
  }

  private fail(user: string, began: number, isProbe: boolean): void {
    const own = this.#failing.get(user) ?? {
      since: began,
      failures: 0,
      closed: new RestAfterFailure(CLOSED),
    };
    own.failures += 1;
    if (isProbe || own.failures >= FAILURES_TO_CLOSE) own.closed.fail();
    this.#failing.set(user, own);
    if (this.#failing.size > MAX_FAILING) this.#failing.delete(this.#failing.keys().next().value!);
    // A success of another call meanwhile shows that the hook is up.
    if (this.#lastSuccess > began || this.#closed.hasFailed) return;
    this.#suspected.set(user, Math.min(COUNTED_OF_ONE, (this.#suspected.get(user) ?? 0) + 1));
    const counted = [...this.#suspected.values()].reduce((sum, one) => sum + one, 0);
    if (counted >= FAILURES_TO_CLOSE) this.#closed.fail();
  }
}
