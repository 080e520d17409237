import type { TrafficRecord } from '@forecourt/contracts';

/** One record, as both sides decide about it. */
export interface Compared {
  readonly record: TrafficRecord;
  readonly inForce: ReplayedDecision;
  readonly proposed: ReplayedDecision;
  readonly sender: string | null;
  readonly largestCost: bigint;
  /** `0x…::module::function`, each once. */
  readonly functions: readonly string[];
}

/** `undecided`: a replay cannot tell, for the reason that it gives. */
export type ReplayedOutcome = 'allow' | 'deny' | 'limited' | 'undecided';

export interface Outcomes {
  /** Under the rules in force, and under the proposed ones. */
  readonly from: ReplayedOutcome;
  readonly to: ReplayedOutcome;
}

/** Decisions that change alike. Amounts are decimal text. */
export interface ReplayedChange extends Outcomes {
  readonly count: number;
  /** Charged by the ledger to those that were sponsored. */
  readonly gas: string;
  /** The maximum cost of those that were refused. */
  readonly largest_cost: string;
}

export interface ReplayedDecision {
  readonly outcome: ReplayedOutcome;
  /** Null: the policy, or a budget. */
  readonly rule: string | null;
  /** Why it is undecided. */
  readonly reason: string | null;
}

/** A decision that would change. */
export interface ReplayedExample {
  readonly at: number;
  readonly token: string;
  /** Null: a refused reservation. */
  readonly sender: string | null;
  readonly digest: string | null;
  readonly reservation_id: number | null;
  /** Path in the console. */
  readonly page: string | null;
  /** Null: it was refused. */
  readonly gas: string | null;
  readonly recorded: ReplayedOutcome;
  readonly in_force: ReplayedDecision;
  readonly proposed: ReplayedDecision;
}

/** The part of a report that follows from the decisions. */
export interface DecidedReport {
  readonly decided: number;
  readonly changed: number;
  /** Those with the same outcome by another rule. */
  readonly by_another_rule: number;
  /** Those whose outcome under the rules in force is not the recorded one. */
  readonly unlike_recorded: number;
  readonly changes: readonly ReplayedChange[];
  readonly by_rule: readonly (ReplayedChange & RulePair)[];
  /** Null: further tokens, and further functions. A transaction counts in each function that it calls. */
  readonly by_token: readonly (ReplayedChange & { readonly token: string | null })[];
  readonly by_function: readonly (ReplayedChange & { readonly function: string | null })[];
  readonly undecided: readonly {
    readonly reason: string;
    readonly in_force: number;
    readonly proposed: number;
  }[];
  /** The first hundred of each kind. */
  readonly examples: readonly (Outcomes & { readonly data: readonly ReplayedExample[] })[];
}

export interface RulePair {
  readonly from_rule: string | null;
  readonly to_rule: string | null;
}

/** The result of a replay. */
export interface ReplayReport extends DecidedReport {
  readonly from: number;
  readonly to: number;
  readonly token: string | null;
  readonly not_replayable: {
    /** Of which too little is kept. */
    readonly sponsorships: number;
    readonly refusals: number;
    /** Of which only the number is kept. */
    readonly only_counted: number;
  };
  readonly notes: readonly string[];
}
