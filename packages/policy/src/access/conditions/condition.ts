import type { YamlValue } from '../../yaml/index.js';
import type { AccessSubject, ReservationSubject } from '../access-subject.js';

/**
 * The part of a transaction for which a condition must hold. A rule that allows needs it to hold for `every`
 * command, argument and type, since otherwise a command that no rule allows could accompany one that is
 * allowed; a rule that denies needs it to hold for `any` of them. A condition that cannot be evaluated does
 * not hold for `every`, and holds for `any`.
 */
export type Quantifier = 'every' | 'any';

type TransactionTest = (
  subject: AccessSubject,
  quantifier: Quantifier,
) => boolean | Promise<boolean>;

/** One condition of a rule. */
export type Condition =
  | {
      /** Its key in the file: `sender-address`. */
      readonly name: string;
      /** Its value, as written in the file, without the secrets of URLs. */
      readonly text: string;
      readonly needs: 'reservation';
      readonly holds: (subject: ReservationSubject) => boolean;
    }
  | {
      readonly name: string;
      readonly text: string;
      readonly needs: 'transaction';
      /** Throws `AccessUndecided` if the OPA server that evaluates it does not answer. */
      readonly holds: TransactionTest;
    };

/**
 * Reads a condition's value; throws `InvalidFile`, also for one that never holds. `quantifier`: the only one
 * that the rule uses; null: it may use both.
 */
export type ReadCondition<Holds = TransactionTest> = (
  value: YamlValue,
  context: ReadContext,
  quantifier: Quantifier | null,
) => Holds | Promise<Holds>;

/** Reads a condition whose test is synchronous. */
export type ReadTransactionCondition = ReadCondition<
  (subject: AccessSubject, quantifier: Quantifier) => boolean
>;

/** Name → address in full form. */
export type SponsorNames = ReadonlyMap<string, string>;

export interface ReadContext {
  readonly sponsorNames: SponsorNames;
  /**
   * Reads the file that a value names, relative to the rules; it is watched with them. Throws `InvalidFile`.
   */
  readonly readFile: (path: YamlValue) => Promise<Buffer>;
  /** The conditions ask no service over the network: one that needs it throws `AccessUndecided`. */
  readonly isOffline: boolean;
  readonly onPrint: (text: PrintedText) => void;
}

/** Text that a Rego policy prints in one evaluation: its author's words, at most a thousand characters. */
export interface PrintedText {
  /** Of the policy's condition in the file of rules. */
  readonly line: number;
  readonly rule: string;
  readonly printed: string;
}
