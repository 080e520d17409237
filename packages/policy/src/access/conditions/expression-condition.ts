import { expressionEnvironment, expressionValues, longestList } from './expression-environment.js';
import { inspectExpression, noLiterals } from './inspect-expression.js';
import type { ReadTransactionCondition } from './condition.js';

const DEEPEST_LOOPS = 2;
/** Iterations of the innermost loop: about ten milliseconds. */
const MAX_STEPS = 20_000;

/**
 * `expression`: a CEL expression that is true or false. Types are checked when the file is loaded. An expression that fails,
 * or would iterate too long over a transaction, decides against it: it does not allow, and it denies. One that tests all
 * calls, or that none exists with a property, does not allow a transaction without calls, although CEL evaluates it to true.
 */
export const readExpression: ReadTransactionCondition = (value) => {
  const text = value.text();
  const { evaluate, loopDepth, asksAllCalls } = value.parse(compile);
  if (loopDepth > DEEPEST_LOOPS) value.fail(`must not nest loops more than ${DEEPEST_LOOPS} deep`);
  return (subject, quantifier) => {
    const whenUndecided = quantifier === 'any';
    const isVacuous = asksAllCalls && subject.transaction.moveCalls.length === 0;
    if (isVacuous && quantifier === 'every') return false;
    if (longestList(subject) ** loopDepth > MAX_STEPS) return whenUndecided;
    try {
      const result: unknown = evaluate(expressionValues(subject));
      return typeof result === 'boolean' ? result : whenUndecided;
    } catch {
      return whenUndecided;
    }
  };

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
    const { loopDepth, asksAllCalls } = inspected;
    return { evaluate: environment.parse(text), loopDepth, asksAllCalls };
  }
};
