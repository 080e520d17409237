import type { YamlValue } from '@forecourt/yaml-reader';
import type { AccessSubject, ReservationSubject } from '../access-subject.js';

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
      readonly holds: (subject: AccessSubject) => boolean | Promise<boolean>;
    };

/** Reads a condition's value; throws `InvalidFile`. */
export type ReadCondition<Holds = Condition['holds']> = (
  value: YamlValue,
  context: ReadContext,
) => Holds | Promise<Holds>;

export interface ReadContext {
  /**
   * Whether the rule can allow. What allows must speak for all of a transaction, or something nobody allowed could ride
   * along with what is; what denies need find only one thing.
   */
  readonly allows: boolean;
  /** Kinds of command that the rule names itself. */
  readonly namedCommandKinds: ReadonlySet<string>;
  /** Reads the file that a value names, relative to that of the rules; it is watched with them. */
  readonly readFile: (path: YamlValue) => Promise<Buffer>;
}
