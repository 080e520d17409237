import type { AccessRule } from './access-rules.js';
import type { UsageCheck } from './usage/usage-check.js';

/** What is decided of a transaction, and why. */
export interface AccessDecision {
  /** `limited`: it would be allowed if a limit were not exceeded. */
  readonly outcome: 'allow' | 'deny' | 'limited';
  /** Null: no rule matched, the policy decided; or a cap, when limited. */
  readonly rule: AccessRule | null;
  /** For the user; null: the general text. */
  readonly message: string | null;
  /**
   * The rule that allows it speaks of the gas price itself (`gas-price-ratio`), so that a general limit on gas prices is
   * not to be applied.
   */
  readonly allowsGasPrice: boolean;
  /** What the decision supposes of the counters; to be checked when the reservation is bound. */
  readonly checks: readonly UsageCheck[];
}

/** What happened to one rule on the way to a decision. */
export interface RuleTrace {
  readonly rule: AccessRule;
  /** Why it does not decide; null: it does. */
  readonly skipped: string | null;
}
