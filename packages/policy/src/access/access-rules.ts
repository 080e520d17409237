import type { CommandKind } from '@forecourt/ledger';
import type { Condition } from './conditions/condition.js';
import type { SponsorNames } from './conditions/condition.js';
import type { MatchCall } from './conditions/move-call-conditions.js';
import type { Hook } from './hooks/hook.js';
import type { UsageLimit } from './usage/usage-limit.js';

/** The treatment of a transaction that no rule decides. */
export const accessPolicies = ['disabled', 'allow-all', 'deny-all'] as const;
type AccessPolicy = (typeof accessPolicies)[number];

/** The treatment of a denied transaction's reservation: usable until its deadline, or released at once. */
export const deniedReservations = ['keep', 'free'] as const;
type DeniedReservation = (typeof deniedReservations)[number];

export type AccessAction = 'allow' | 'deny' | Hook;

/** Decides if all its conditions hold and its limits are not exceeded. */
export interface AccessRule {
  /** Unique in its rule set: its own name, or `line 7`. */
  readonly name: string;
  /** Line of the file where it begins, from 1. */
  readonly line: number;
  readonly conditions: readonly Condition[];
  /** The kinds of command that its `command-kind` names; null: it has no such condition. */
  readonly commandKinds: ReadonlySet<CommandKind> | null;
  /** Whether its `argument` names the function of a call; null: it has no such condition. */
  readonly namesFunction: MatchCall | null;
  /** The sponsors that its `sponsor` names, in full form; null: it has no such condition. */
  readonly sponsors: readonly string[] | null;
  readonly limits: readonly UsageLimit[];
  readonly action: AccessAction;
  /** Shown to the user when the rule denies; null: the general text. */
  readonly message: string | null;
}

/** Ordered rules: the first that matches decides, or the policy if none does. */
export interface RuleSet {
  readonly policy: AccessPolicy;
  readonly rules: readonly AccessRule[];
}

/** The rules of one file. */
export interface AccessRules extends RuleSet {
  /** Rule sets that tokens name, used instead of the general rules. */
  readonly ruleSets: ReadonlyMap<string, RuleSet>;
  /** Limits on the sponsor's total spending, regardless of the rules. */
  readonly sponsorBudget: readonly UsageLimit[];
  /** Names of sponsors, for rules and tokens → their addresses in full form. */
  readonly sponsorNames: SponsorNames;
  readonly deniedReservation: DeniedReservation;
  /** Decisions are made and logged, but not enforced. */
  readonly dryRun: boolean;
}
