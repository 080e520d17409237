import type { DecodedTransaction } from '@forecourt/ledger';

/** What happens to a transaction that no rule decides. */
export type AccessPolicy = 'disabled' | 'allow-all' | 'deny-all';

export type AccessAction = 'allow' | 'deny';

/** One thing that a rule asks of a transaction. */
export interface Condition {
  /** As it stands in the file: `sender-address`. */
  readonly name: string;
  readonly holds: (transaction: DecodedTransaction) => boolean;
}

/** Decides when all its conditions hold. */
export interface AccessRule {
  /** Line of the file where it begins, from 1. */
  readonly line: number;
  readonly conditions: readonly Condition[];
  readonly action: AccessAction;
}

/** The rules of one file, in its order: the first that matches decides. */
export interface AccessRules {
  readonly policy: AccessPolicy;
  readonly rules: readonly AccessRule[];
}

/** A file of rules that cannot be used. The message names the line and what is wrong there. */
export class InvalidAccessRules extends Error {
  override readonly name = 'InvalidAccessRules';

  constructor(
    /** From 1. */
    readonly line: number,
    readonly reason: string,
  ) {
    super(`line ${line}: ${reason}`);
  }
}
