import type { TrafficRecord } from '@forecourt/contracts';
import type { DecidedReport, ReplayedToken, ReplaySettings } from '@forecourt/policy/replay';

/** The beginning of the thread of a replay. */
export interface ReplayTask {
  /** Of the rules in force; null: there are none. */
  readonly rulesFile: string | null;
  /** The version of each file that the rules in force were read from. */
  readonly versions: ReadonlyMap<string, string>;
  readonly proposed: {
    readonly rules: string;
    /** By the path that the rules name. */
    readonly files: ReadonlyMap<string, Uint8Array>;
  };
  readonly tokens: ReadonlyMap<string, ReplayedToken>;
  readonly settings: ReplaySettings;
}

/** To the thread: the next records, or null for the report. */
export type ReplayQuestion = readonly TrafficRecord[] | null;

/** From the thread: one answer when it has begun, and one to each question. */
export type ReplayAnswer =
  | { readonly kind: 'invalid'; readonly problem: string }
  | { readonly kind: 'ready' | 'decided' }
  | ({ readonly kind: 'report' } & ReplayFindings);

export interface ReplayFindings {
  readonly report: DecidedReport;
  readonly skipped: { readonly sponsorships: number; readonly refusals: number };
  /** Whether the rules are only tried out. */
  readonly dryRun: { readonly inForce: boolean; readonly proposed: boolean };
}
