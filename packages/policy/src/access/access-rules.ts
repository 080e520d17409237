import type { CommandKind } from '@forecourt/ledger';
import type { Condition } from './conditions/condition.js';
import type { Hook } from './hooks/hook.js';
import type { UsageLimit } from './usage/usage-limit.js';

/** What happens to a transaction that no rule decides. */
export const accessPolicies = ['disabled', 'allow-all', 'deny-all'] as const;
export type AccessPolicy = (typeof accessPolicies)[number];

/** What becomes of the reservation of a denied transaction: usable until its deadline, or given back at once. */
export const deniedReservations = ['keep', 'free'] as const;
export type DeniedReservation = (typeof deniedReservations)[number];

export type AccessAction = 'allow' | 'deny' | Hook;

/** Decides when all its conditions hold and its limits are not exceeded. */
export interface AccessRule {
  /** Unique in the file: its own name, or `line 7`. */
  readonly name: string;
  /** Line of the file where it begins, from 1. */
  readonly line: number;
  readonly conditions: readonly Condition[];
  /** Kinds of command that its `command-kind` names; null: it has none. */
  readonly commandKinds: ReadonlySet<CommandKind> | null;
  readonly limits: readonly UsageLimit[];
  readonly action: AccessAction;
  /** What the user is told of a denial; null: the general text. */
  readonly message: string | null;
}

/** Ordered rules: the first that matches decides, the policy where none does. */
export interface RuleSet {
  readonly policy: AccessPolicy;
  readonly rules: readonly AccessRule[];
}

/** The rules of one file. */
export interface AccessRules extends RuleSet {
  /** Further rule sets, which tokens name. */
  readonly ruleSets: ReadonlyMap<string, RuleSet>;
  /** What the whole sponsor may spend, whatever the rules say. */
  readonly sponsorBudget: readonly UsageLimit[];
  readonly deniedReservation: DeniedReservation;
  /** Decisions are made and logged, and not enforced. */
  readonly dryRun: boolean;
}
