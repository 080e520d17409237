import { FairBulkhead, NoPlace } from '@forecourt/resilience';
import { ExponentialBackoff, handleWhen, retry, timeout, TimeoutStrategy } from 'cockatiel';
import { type AccessSubject, type Initiator, holdersOf } from '../access-subject.js';
import { AccessUndecided } from '../access-undecided.js';
import {
  type Hook,
  type HookAnswer,
  readHookAnswer,
  readLimitedText,
  SIGNATURE_HEADER,
  signRequest,
  writeHookRequest,
} from './hook.js';
import { UnusableAnswer } from './unusable-answer.js';
import { HookClosed } from './hook-closed.js';
import { HookHealth } from './hook-health.js';

const LONGEST_ANSWER = 65_536;
const RETRY_AFTER_MS = 50;
const FIRST_SERVER_ERROR = 500;

/** State of a hook between its calls. */
interface HookState {
  readonly bulkhead: FairBulkhead;
  readonly health: HookHealth;
}

/** Calls hooks, each with its time limit, retries, limit on concurrent calls and rest after failures. */
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
    const retries = retry(
      handleWhen((error) => !(error instanceof HookClosed)),
      { maxAttempts: hook.retries, backoff },
    );
    const limit = timeout(hook.timeoutMs, TimeoutStrategy.Aggressive);
    const call = () => limit.execute(({ signal }) => this.call(hook, body, signal));
    return bulkhead.run(holdersOf(by), () => retries.execute(() => health.run(by, call)));
  }

  /**
   * Returns an unusable answer instead of throwing it: the hook is up, so that a retry or a rest would
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

/** Whether the hook itself seems to have failed. */
function isDown(cause: unknown): boolean {
  if (cause instanceof HookClosed) return cause.isForAll;
  return !(cause instanceof UnusableAnswer || cause instanceof NoPlace);
}
