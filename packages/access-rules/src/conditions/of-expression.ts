import type { AccessSubject } from '../access-subject.js';
import {
  expressionEnvironment,
  expressionValues,
  longestList,
} from '../expressions/expression-environment.js';
import { inspectExpression } from '../expressions/inspect-expression.js';
import type { ReadCondition } from './condition.js';

const DEEPEST_LOOPS = 2;
/** Steps of a loop inside a loop, or of one; some ten milliseconds. */
const MOST_STEPS = 20_000;

/**
 * `expression`: a CEL expression that is true or false. Types are checked when the file is loaded. One that fails, or would
 * run too long over a transaction, decides against it: it does not allow, and it denies.
 */
export const readExpression: ReadCondition<(subject: AccessSubject) => boolean> = (
  value,
  { allows },
) => {
  const text = value.text();
  const { evaluate, loopDepth } = value.parse(compile);
  if (loopDepth > DEEPEST_LOOPS) value.fail(`must not have ${loopDepth} loops inside one another`);
  const whenUndecided = !allows;
  return (subject) => {
    if (longestList(subject) ** loopDepth > MOST_STEPS) return whenUndecided;
    try {
      const result: unknown = evaluate(expressionValues(subject));
      return typeof result === 'boolean' ? result : whenUndecided;
    } catch {
      return whenUndecided;
    }
  };

  function compile() {
    const syntax = expressionEnvironment(new Map()).parse(text);
    const inspected = inspectExpression(syntax.ast);
    const environment = expressionEnvironment(inspected.patterns);
    const checked = environment.check(text);
    if (!checked.valid)
      throw new Error(`is not right: ${checked.error?.message.split('\n')[0] ?? ''}`);
    if (String(checked.type) !== 'bool') {
      throw new Error(`must be true or false, not ${String(checked.type)}`);
    }
    return { evaluate: environment.parse(text), loopDepth: inspected.loopDepth };
  }
};
