import type { AccessRule } from './access-rules.js';
import type { Condition } from './conditions/condition.js';
import type { UsageCheck } from './usage/usage-limit.js';

/** The decision about a transaction, with its reasons. */
export interface AccessDecision {
  /** `limited`: it would be allowed if a limit were not exceeded. */
  readonly outcome: 'allow' | 'deny' | 'limited';
  /** Null: the policy decided, as no rule matched; or, when limited, a limit that is exceeded. */
  readonly rule: AccessRule | null;
  /**
   * When limited: the first limit that is exceeded, and its rule; null: a budget of the token or the sponsor.
   */
  readonly limit: ExceededLimit | null;
  /** Shown to the user; null: the general text. */
  readonly message: string | null;
  /**
   * The rule that allows it has a condition on the gas price (`gas-price-ratio`), which replaces the general
   * limit on gas prices.
   */
  readonly allowsGasPrice: boolean;
  /**
   * The rule that allows it has the condition `abstract-account`, which replaces the general refusal of such
   * senders.
   */
  readonly allowsAbstractAccount: boolean;
  /** The decision's assumptions about counters, checked when the reservation is claimed. */
  readonly checks: readonly UsageCheck[];
}

export interface ExceededLimit {
  readonly rule: AccessRule | null;
  readonly check: Pick<
    UsageCheck,
    'counter' | 'counts' | 'comparison' | 'windowMs' | 'until' | 'isOver'
  >;
}

/** The evaluation of one rule on the way to a decision. */
export interface RuleTrace {
  readonly rule: AccessRule;
  /** The reason why it does not decide; null: it decides. */
  readonly skipped: string | null;
  /** The condition that does not hold, of a rule that is skipped for it. */
  readonly failed?: Condition | undefined;
}
