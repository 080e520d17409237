import {
  type AccessDecision,
  type AccessSubject,
  AccessUndecided,
  decideAccess,
  type KnownUsage,
  type KnownUsages,
  type RuleSet,
  type RuleTrace,
  type UsageCheck,
} from '@forecourt/policy/access';
import type { CurrentUsage, ForecourtError, PreviewedLimit } from '@forecourt/contracts';
import type { CallerRules } from './access-policy.js';
import { accessRefusal } from './access-refusal.js';

/** The decision that the access rules would make about a transaction now. */
export interface AccessPreview {
  /** Name of the rule that decides; null: none does. */
  readonly rule: string | null;
  /** The error of its execution; null: the rules would not refuse it. */
  readonly refusal: ForecourtError | null;
  /** The decision that refuses it; null: none does. */
  readonly refusedBy: AccessDecision | null;
  /** The reason why the decision is open; null: it is made. */
  readonly undecided: string | null;
  /** Decides if no rule does. */
  readonly policy: RuleSet['policy'];
  /** The rules that were evaluated, in their order. */
  readonly steps: readonly RuleTrace[];
  /** The limits that would count it. */
  readonly limits: readonly PreviewedLimit[];
}

/**
 * Decides as an execution would, with the counters' values from `readUsages`, but calls no hook, counts
 * nothing and writes no audit.
 */
export async function previewAccess(
  subject: AccessSubject,
  rules: CallerRules,
  readUsages: (counters: readonly string[]) => Promise<readonly CurrentUsage[]>,
): Promise<AccessPreview> {
  const { ruleSet, caps, dryRun } = rules;
  const { policy } = ruleSet;
  const known = new Map<string, KnownUsage>();
  const askHook = () =>
    Promise.reject(new AccessUndecided('a hook decides when the transaction is executed'));
  for (;;) {
    const steps: RuleTrace[] = [];
    const trace = (step: RuleTrace) => void steps.push(step);
    let decision;
    try {
      decision = await decideAccess(ruleSet, subject, { known, caps, askHook, trace });
    } catch (error) {
      if (!(error instanceof AccessUndecided)) throw error;
      const undecided = dryRun ? null : error.reason;
      return { rule: null, refusal: null, refusedBy: null, undecided, policy, steps, limits: [] };
    }
    const unread = decision.checks.map(({ counter }) => counter).filter((one) => !known.has(one));
    if (unread.length === 0) {
      const isRefused = decision.outcome !== 'allow' && !dryRun;
      return {
        rule: decision.rule?.name ?? null,
        refusedBy: isRefused ? decision : null,
        refusal: isRefused ? accessRefusal(decision, known, rules) : null,
        undecided: null,
        policy,
        steps,
        limits: decision.checks.map((check) => describeLimit(check, known)),
      };
    }
    // With the values of these counters, another rule may decide, which has other limits.
    for (const { counter, used, endsInMs } of await readUsages(unread)) {
      known.set(counter, { used: BigInt(used), endsInMs });
    }
  }
}

function describeLimit(check: UsageCheck, known: KnownUsages): PreviewedLimit {
  const { counter, counts, amount, comparison, windowMs, until } = check;
  const used = known.get(counter)!.used;
  return {
    counts,
    used: String(used),
    amount: String(amount),
    limit: String(comparison.limit),
    remaining: String(comparison.limit - used - amount),
    window_secs: windowMs && windowMs / 1_000,
    ends_at: until,
  };
}
