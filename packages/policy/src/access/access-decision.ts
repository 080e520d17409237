import type { AccessRule } from './access-rules.js';
import type { UsageCheck } from './usage/usage-check.js';

/** What is decided about a transaction, and why. */
export interface AccessDecision {
  /** `limited`: it would be allowed if a limit were not exceeded. */
  readonly outcome: 'allow' | 'deny' | 'limited';
  /** Null: the policy decided, as no rule matched; or, when limited, a limit that is exceeded. */
  readonly rule: AccessRule | null;
  /** Shown to the user; null: the general text. */
  readonly message: string | null;
  /**
   * The rule that allows it has a condition on the gas price (`gas-price-ratio`), which replaces the general limit on gas
   * prices.
   */
  readonly allowsGasPrice: boolean;
  /** What the decision assumes about counters; checked when the reservation is claimed. */
  readonly checks: readonly UsageCheck[];
}

/** What happened to one rule on the way to a decision. */
export interface RuleTrace {
  readonly rule: AccessRule;
  /** Why it does not decide; null: it decides. */
  readonly skipped: string | null;
}
