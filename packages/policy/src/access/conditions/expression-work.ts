import type { MoveCall } from '@forecourt/ledger';

/** Iterations of the innermost loop: about ten milliseconds, also if all of them fail. */
const MAX_STEPS = 10_000;
/** Characters, bytes and elements of what callers choose that an expression looks at: about ten milliseconds. */
const MAX_UNITS = 524_288;
/** A failure of CEL, which may follow each access to arguments and be caught, takes as long as this many characters. */
const UNITS_OF_FAILURE = 100;
/** Longer than the names that ledgers accept. */
const SHORT = 128;

/** Made once: an expression may catch thousands of them. */
const tooMuch = new Error('the expression works too long on the transaction');
const notKnown = new Error('the argument has no such field, or it is not known');

/** The work of one evaluation of an expression, which ends it before it is done. */
export class ExpressionWork {
  #left = 0;
  #loopDepth = 0;
  /** The calls whose arguments the evaluation has missed. */
  missing = new Set<MoveCall>();
  /** The result does not count: CEL evaluates a failure on one side of `||` to the other side. */
  isTooMuch = false;

  begin(loopDepth: number): void {
    this.#left = MAX_UNITS;
    this.#loopDepth = loopDepth;
    this.missing = new Set();
    this.isTooMuch = false;
  }

  /** Must be called before a list is handed out. */
  spendOnList(length: number): void {
    if (length ** this.#loopDepth > MAX_STEPS) this.#left = 0;
    this.spend(length);
  }

  /** Must be called before a text is handed out. */
  spendOnText(text: string): string {
    if (text.length > SHORT) this.spend(text.length);
    return text;
  }

  /** Must be called before the arguments of a call, or the value of one, are handed out. */
  spendOnAccess(): void {
    this.spend(UNITS_OF_FAILURE);
  }

  spend(units: number): void {
    this.#left -= units;
    if (this.#left >= 0) return;
    this.isTooMuch = true;
    throw tooMuch;
  }

  miss(call: MoveCall): never {
    this.missing.add(call);
    throw notKnown;
  }

  /** Throws for a fact that is not known. */
  known<T>(fact: T | undefined): T {
    if (fact === undefined) throw notKnown;
    return fact;
  }
}
