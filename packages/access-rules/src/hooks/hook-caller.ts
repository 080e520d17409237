import {
  bulkhead,
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
import { SIGNATURE_HEADER, signRequest } from './sign-request.js';

const LONGEST_ANSWER = 65_536;
/** After this many failures in a row a hook is left alone for a while. */
const FAILURES_TO_OPEN = 10;
const OPEN_FOR_MS = 5_000;
const RETRY_AFTER_MS = 50;

/** Asks hooks: each with its time limit, retries, a limit of calls at once and a circuit breaker. */
export class HookCaller {
  readonly #policies = new Map<string, IPolicy>();

  constructor(
    /** Signs the requests; null: they are not signed. */
    private readonly secret: string | null,
  ) {}

  /** Throws `AccessUndecided` when the hook is down and its silence means nothing but that. */
  async ask(hook: Hook, subject: AccessSubject): Promise<HookAnswer> {
    const body = writeHookRequest(hook, subject);
    try {
      return await this.policyOf(hook).execute(({ signal }) => this.call(hook, body, signal));
    } catch (cause) {
      const reason = `the hook at ${new URL(hook.url).host}: ${(cause as Error).message}`;
      if (hook.whenDown === 'deny') throw new AccessUndecided(reason, { cause });
      const decision = hook.whenDown === 'allow' ? 'allow' : 'noDecision';
      return { decision, userMessage: null };
    }
  }

  private async call(hook: Hook, body: string, signal: AbortSignal): Promise<HookAnswer> {
    const headers: Record<string, string> = {
      ...hook.headers,
      'content-type': 'application/json',
      ...(this.secret !== null && {
        [SIGNATURE_HEADER]: signRequest(this.secret, body, new Date()),
      }),
    };
    const options = { method: 'POST', headers, body, signal, redirect: 'error' } as const;
    const response = await fetch(hook.url, options);
    const text = await readLimited(response, LONGEST_ANSWER);
    if (!response.ok) throw new Error(`status ${response.status}`);
    return readHookAnswer(text);
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
