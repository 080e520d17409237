import type { CallArgument, MoveCall } from '@forecourt/ledger';
import type { AccessSubject } from '../access-subject.js';
import { expressionEnvironment, expressionValues, longestList } from './expression-environment.js';
import { inspectExpression, noLiterals } from './inspect-expression.js';
import type { Quantifier, ReadCondition } from './condition.js';

const DEEPEST_LOOPS = 2;
/** Iterations of the innermost loop: about ten milliseconds. */
const MAX_STEPS = 20_000;

/** The only call of a transaction that no operator means. */
const UNKNOWN_CALL: MoveCall = {
  packageId: `0x${'f'.repeat(64)}`,
  module: 'unknown',
  function: 'unknown',
  typeArguments: [],
  objects: [],
};

/**
 * `expression`: a CEL expression that is true or false. Types are checked when the file is loaded. An expression that fails,
 * or would iterate too long over a transaction, decides against it: it does not allow, and it denies. A transaction without
 * calls is not allowed by an expression that tests all calls or that none exists with a property, nor by one that would not
 * allow a single unknown call: CEL evaluates "no foreign call" to true.
 */
export const readExpression: ReadCondition = (value) => {
  const text = value.text();
  const { evaluate, loopDepth, asksAllCalls, readsArguments } = value.parse(compile);
  if (loopDepth > DEEPEST_LOOPS) value.fail(`must not nest loops more than ${DEEPEST_LOOPS} deep`);
  if (!readsArguments) return (subject, quantifier) => isTrue(subject, quantifier, []);
  return async (subject, quantifier) =>
    isTrue(subject, quantifier, await subject.readArguments(() => true));

  function isTrue(
    subject: AccessSubject,
    quantifier: Quantifier,
    calls: readonly (readonly CallArgument[])[],
  ): boolean {
    const whenUndecided = quantifier === 'any';
    if (longestList(subject, calls) ** loopDepth > MAX_STEPS) return whenUndecided;
    const isTrueOf = (asked: AccessSubject) => {
      try {
        const result: unknown = evaluate(expressionValues(asked, calls));
        return typeof result === 'boolean' ? result : whenUndecided;
      } catch {
        return whenUndecided;
      }
    };
    const isTrueOfAll = isTrueOf(subject);
    const { transaction } = subject;
    const mayBeVacuous =
      isTrueOfAll && quantifier === 'every' && transaction.moveCalls.length === 0;
    if (!mayBeVacuous) return isTrueOfAll;
    const moveCalls = [UNKNOWN_CALL];
    return !asksAllCalls && isTrueOf({ ...subject, transaction: { ...transaction, moveCalls } });
  }

  function compile() {
    const syntax = expressionEnvironment(noLiterals()).parse(text);
    const inspected = inspectExpression(syntax.ast);
    const environment = expressionEnvironment(inspected.literals);
    const checked = environment.check(text);
    if (!checked.valid)
      throw new Error(`is not a valid expression: ${checked.error?.message.split('\n')[0] ?? ''}`);
    if (String(checked.type) !== 'bool') {
      throw new Error(`must be true or false, not ${String(checked.type)}`);
    }
    const { loopDepth, asksAllCalls, readsArguments } = inspected;
    return { evaluate: environment.parse(text), loopDepth, asksAllCalls, readsArguments };
  }
};
