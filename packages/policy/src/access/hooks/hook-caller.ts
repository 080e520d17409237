import {
  bulkhead,
  BulkheadRejectedError,
  circuitBreaker,
  ConsecutiveBreaker,
  ExponentialBackoff,
  handleAll,
  type IPolicy,
  retry,
  timeout,
  TimeoutStrategy,
  wrap,
} from 'cockatiel';
import type { AccessSubject } from '../access-subject.js';
import { AccessUndecided } from '../access-undecided.js';
import type { Hook } from './hook.js';
import { type HookAnswer, readHookAnswer } from './hook-answer.js';
import { writeHookRequest } from './hook-request.js';
import { readLimited } from './read-limited.js';
import { UnusableAnswer } from './unusable-answer.js';
import { SIGNATURE_HEADER, signRequest } from './sign-request.js';

const LONGEST_ANSWER = 65_536;
/** After this many failures in a row, a hook is not called for a while. */
const FAILURES_TO_OPEN = 10;
const OPEN_FOR_MS = 5_000;
const RETRY_AFTER_MS = 50;
const FIRST_SERVER_ERROR = 500;

/** Calls hooks, each with its timeout, retries, limit of concurrent calls and circuit breaker. */
export class HookCaller {
  readonly #policies = new Map<string, IPolicy>();

  constructor(
    /** Signs the requests; null: they are not signed. */
    private readonly secret: string | null,
  ) {}

  /**
   * The hook's answer, or its `when-down` when it is down. Throws `AccessUndecided` when it is down and `when-down` is
   * `deny`, when its answer is unusable, and when too many calls are waiting for it: callers can cause the last two, so
   * that `when-down` must not apply to them.
   */
  async ask(hook: Hook, subject: AccessSubject): Promise<HookAnswer> {
    const body = writeHookRequest(hook, subject);
    try {
      const answer = await this.policyOf(hook).execute(({ signal }) =>
        this.call(hook, body, signal),
      );
      if (answer instanceof UnusableAnswer) throw answer;
      return answer;
    } catch (cause) {
      const reason = `the hook at ${new URL(hook.url).host}: ${(cause as Error).message}`;
      if (hook.whenDown === 'deny' || !isDown(cause)) throw new AccessUndecided(reason, { cause });
      const decision = hook.whenDown === 'allow' ? 'allow' : 'noDecision';
      return { decision, userMessage: null };
    }
  }

  /** Returns an unusable answer instead of throwing it: the hook is up, and neither a retry nor the breaker would help. */
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
      const text = await readLimited(response, LONGEST_ANSWER);
      if (response.status >= FIRST_SERVER_ERROR) throw new Error(`status ${response.status}`);
      if (!response.ok) throw new UnusableAnswer(`status ${response.status}`);
      return readHookAnswer(text);
    } catch (error) {
      if (error instanceof UnusableAnswer) return error;
      throw error;
    }
  }

  private policyOf(hook: Hook): IPolicy {
    const { url, timeoutMs, retries, maxConcurrent } = hook;
    const key = [url, timeoutMs, retries, maxConcurrent].join(' ');
    let policy = this.#policies.get(key);
    if (!policy) {
      const backoff = new ExponentialBackoff({ initialDelay: RETRY_AFTER_MS });
      policy = wrap(
        bulkhead(maxConcurrent, maxConcurrent),
        retry(handleAll, { maxAttempts: retries, backoff }),
        circuitBreaker(handleAll, {
          halfOpenAfter: OPEN_FOR_MS,
          breaker: new ConsecutiveBreaker(FAILURES_TO_OPEN),
        }),
        timeout(timeoutMs, TimeoutStrategy.Aggressive),
      );
      this.#policies.set(key, policy);
    }
    return policy;
  }
}

/** Whether the hook itself failed, rather than gave an unusable answer or had too many calls waiting. */
function isDown(cause: unknown): boolean {
  return !(cause instanceof UnusableAnswer || cause instanceof BulkheadRejectedError);
}
