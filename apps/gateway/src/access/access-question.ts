import {
  type AccessDecision,
  type AccessRules,
  type AccessSubject,
  AccessUndecided,
  decideAccess,
  type Hook,
  type HookAnswer,
  type HookCaller,
  type KnownUsage,
  type KnownUsages,
  mayAllowAbstractAccounts,
  type RuleSet,
  type UsageLimit,
} from '@forecourt/policy/access';
import { ForecourtError, type CurrentUsage, type ExpectedUsage } from '@forecourt/contracts';
import type { AccessAudit } from './access-audit.js';

export interface AccessQuestionOptions {
  readonly rules: AccessRules;
  readonly ruleSet: RuleSet;
  /** The token's budget and the sponsor's. */
  readonly caps: readonly UsageLimit[];
  readonly subject: AccessSubject;
  readonly requestId: string;
  readonly audit: Pick<AccessAudit, 'requireWritable' | 'write'>;
  readonly hooks: Pick<HookCaller, 'ask' | 'wouldCall'>;
}

/**
 * Decides whether a transaction may be sponsored: by the rules at the time of the question, and again whenever the claim
 * finds that a counter does not have the value that the decision assumed.
 */
export class AccessQuestion {
  readonly #known = new Map<string, KnownUsage>();
  readonly #hookAnswers = new Map<Hook, Promise<HookAnswer>>();
  #decision: AccessDecision | null = null;

  constructor(private readonly options: AccessQuestionOptions) {}

  /** Whether a denial releases the reservation. */
  get freesDenied(): boolean {
    return this.options.rules.deniedReservation === 'free';
  }

  /**
   * Decides, and returns the usage that the claim must find and count. Throws FORBIDDEN, SPENDING_LIMIT and
   * ACCESS_UNDECIDED. With `dry-run` in the rules it refuses nothing, and a transaction that it would refuse is not
   * counted.
   */
  decide(): Promise<readonly ExpectedUsage[]> {
    return this.decideWith((hook) => this.askHook(hook));
  }

  /** As `decide`, but calls no hook; null if it needs one that it has not called. */
  async decideWithoutCalls(): Promise<readonly ExpectedUsage[] | null> {
    const { hooks, subject } = this.options;
    try {
      return await this.decideWith((hook) => {
        const isAnswered = this.#hookAnswers.has(hook);
        if (!isAnswered && hooks.wouldCall(hook, subject)) throw new HookNeeded();
        return this.askHook(hook);
      });
    } catch (error) {
      if (error instanceof HookNeeded) return null;
      throw error;
    }
  }

  private askHook(hook: Hook): Promise<HookAnswer> {
    const { hooks, subject } = this.options;
    const answer = this.#hookAnswers.get(hook) ?? hooks.ask(hook, subject);
    this.#hookAnswers.set(hook, answer);
    return answer;
  }

  private async decideWith(
    askHook: (hook: Hook) => Promise<HookAnswer>,
  ): Promise<readonly ExpectedUsage[]> {
    const { ruleSet, subject, caps, rules } = this.options;
    try {
      const parts = { known: this.#known, caps, askHook };
      this.#decision = await decideAccess(ruleSet, subject, parts);
    } catch (cause) {
      if (!(cause instanceof AccessUndecided)) throw cause;
      this.write('undecided', cause.reason);
      if (rules.dryRun) return [];
      throw new ForecourtError('ACCESS_UNDECIDED', '', { cause });
    }
    if (this.#decision.outcome === 'allow') {
      this.options.audit.requireWritable();
      return this.#decision.checks.map(toExpectedUsage);
    }
    this.write(this.#decision.outcome);
    if (rules.dryRun) return [];
    throw accessRefusal(this.#decision, this.#known);
  }

  /** Name of the rule that made the last decision; empty if none did. */
  get ruleName(): string {
    return this.#decision?.rule?.name ?? '';
  }

  /** The rule that allows the transaction has a condition on its gas price, which replaces the general limit. */
  get allowsGasPrice(): boolean {
    return this.#decision?.allowsGasPrice ?? false;
  }

  /** The rule that allows the transaction has a condition on its abstract account. */
  get allowsAbstractAccount(): boolean {
    return this.#decision?.allowsAbstractAccount ?? false;
  }

  /** Whether a decision can allow an abstract account; false: none can. */
  get mayAllowAbstractAccounts(): boolean {
    return mayAllowAbstractAccounts(this.options.ruleSet);
  }

  /** Stores the counters' values that a claim found instead of the expected ones. */
  learn(usages: readonly CurrentUsage[]): void {
    for (const { counter, used, endsInMs } of usages) {
      this.#known.set(counter, { used: BigInt(used), endsInMs });
    }
  }

  /** Audits an allowed transaction after its claim. */
  auditClaim(): void {
    if (this.#decision?.outcome === 'allow') this.write('allow');
  }

  private write(outcome: AccessDecision['outcome'] | 'undecided', reason?: string): void {
    const { audit, subject, requestId, rules } = this.options;
    const rule = this.#decision?.rule ?? null;
    const { dryRun } = rules;
    audit.write({ stage: 'execute', outcome, rule, subject, requestId, dryRun, reason });
  }
}

/** A decision depends on a hook that has not been called yet. */
class HookNeeded extends Error {}

function toExpectedUsage({
  comparison,
  amount,
  ...check
}: AccessDecision['checks'][number]): ExpectedUsage {
  const { operator, limit } = comparison;
  return { ...check, operator, limit: String(limit), amount: String(amount) };
}

/** The error for a decision that does not allow the transaction: FORBIDDEN or SPENDING_LIMIT. */
export function accessRefusal(
  { outcome, rule, message, checks }: AccessDecision,
  known: KnownUsages,
): ForecourtError {
  if (outcome === 'deny') {
    const text = message ?? rule?.message ?? 'The access rules do not allow this transaction';
    return new ForecourtError('FORBIDDEN', text);
  }
  const ends = checks.map(({ counter }) => known.get(counter)?.endsInMs ?? 0);
  const retryAfterSecs = Math.max(1, Math.ceil(Math.max(0, ...ends) / 1_000));
  const detail = message ?? rule?.message ?? `it is renewed within ${retryAfterSecs} s`;
  return new ForecourtError('SPENDING_LIMIT', detail, { retryAfterSecs });
}
