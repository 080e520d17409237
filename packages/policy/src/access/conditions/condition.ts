import type { YamlValue } from '../../yaml/index.js';
import type { AccessSubject, ReservationSubject } from '../access-subject.js';

/**
 * What a condition on a transaction is asked for. A rule that allows asks whether it holds for `every` command, argument
 * and type, or a command that nobody allowed could accompany one that somebody did; one that denies asks whether it holds for
 * `any` of them. What cannot be evaluated does not hold for every, and holds for any.
 */
export type Quantifier = 'every' | 'any';

export type TransactionTest = (
  subject: AccessSubject,
  quantifier: Quantifier,
) => boolean | Promise<boolean>;

/** One thing that a rule asks for. */
export type Condition =
  | {
      /** As it stands in the file: `sender-address`. */
      readonly name: string;
      /** What it asks for, as it stands in the file. */
      readonly text: string;
      readonly needs: 'reservation';
      readonly holds: (subject: ReservationSubject) => boolean;
    }
  | {
      readonly name: string;
      readonly text: string;
      readonly needs: 'transaction';
      /** Throws `AccessUndecided` when whoever decides it cannot be asked. */
      readonly holds: TransactionTest;
    };

/** Reads a condition's value; throws `InvalidFile`. */
export type ReadCondition<Holds = TransactionTest> = (
  value: YamlValue,
  context: ReadContext,
) => Holds | Promise<Holds>;

/** Reads a condition whose test needs to wait for nothing. */
export type ReadTransactionCondition = ReadCondition<
  (subject: AccessSubject, quantifier: Quantifier) => boolean
>;

export interface ReadContext {
  /** Reads the file that a value names, relative to that of the rules; it is watched with them. */
  readonly readFile: (path: YamlValue) => Promise<Buffer>;
}
