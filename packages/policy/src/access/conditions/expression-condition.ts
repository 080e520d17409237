import type { ArgumentsOfCalls, MoveCall } from '@forecourt/ledger';
import { type AccessSubject, measured } from '../access-subject.js';
import { expressionEnvironment, expressionValues } from './expression-environment.js';
import { type ExpressionNode, ExpressionWork } from './expression-work.js';
import { inspectExpression, noLiterals } from './inspect-expression.js';
import type { Quantifier, ReadCondition } from './condition.js';

const DEEPEST_LOOPS = 2;

/** The only call of a transaction that no operator means. */
const UNKNOWN_CALL: MoveCall = {
  packageId: `0x${'f'.repeat(64)}`,
  module: 'unknown',
  function: 'unknown',
  typeArguments: [],
  objects: [],
};

/**
 * `expression`: a CEL expression that is true or false. Types are checked when the file is loaded. An
 * expression that fails, or would work too long on a transaction, decides against it: it does not allow, and
 * it denies. A transaction without calls is not allowed by an expression that tests all calls or that none
 * exists with a property, nor by one that would not allow a single unknown call: CEL evaluates "no foreign
 * call" to true. The ledger is asked for the arguments of those calls only without which the expression has
 * no value.
 */
export const readExpression: ReadCondition = (value) => {
  const text = value.text();
  const work = new ExpressionWork(text.length);
  const { evaluate, loopDepth, asksAllCalls } = value.parse(compile);
  if (loopDepth > DEEPEST_LOOPS) value.fail(`must not nest loops more than ${DEEPEST_LOOPS} deep`);
  return (subject, quantifier) => {
    const first = evaluateOf(subject, noArguments);
    if (lacksArguments(first)) return askLedger(subject, quantifier, first);
    return decide(subject, quantifier, first.result);
  };

  async function askLedger(
    subject: AccessSubject,
    quantifier: Quantifier,
    { missing, left }: Evaluation,
  ): Promise<boolean> {
    const argumentsOf = await subject.readArguments((call) => missing.has(call));
    const { moveCalls } = subject.transaction;
    const second = measured(subject, () =>
      evaluateOf(subject, (n) => (missing.has(moveCalls[n]!) ? argumentsOf(n) : null), left),
    );
    if (!lacksArguments(second)) return decide(subject, quantifier, second.result);
    // An expression that asks for further arguments, once it has some, gets all of them.
    const all = await subject.readArguments(() => true);
    const third = measured(subject, () => evaluateOf(subject, all, second.left));
    return decide(subject, quantifier, third.result);
  }

  function decide(subject: AccessSubject, quantifier: Quantifier, result: boolean | null): boolean {
    const { transaction } = subject;
    if (result === null) return quantifier === 'any';
    const mayBeVacuous = result && quantifier === 'every' && transaction.moveCalls.length === 0;
    if (!mayBeVacuous) return result;
    if (asksAllCalls) return false;
    const moveCalls = [UNKNOWN_CALL];
    const unknown = { ...subject, transaction: { ...transaction, moveCalls } };
    return evaluateOf(unknown, () => []).result ?? false;
  }

  /** `left`: of the work that all evaluations for a decision may take together. */
  function evaluateOf(
    subject: AccessSubject,
    argumentsOf: (call: number) => ReturnType<ArgumentsOfCalls> | null,
    left?: number,
  ): Evaluation {
    work.begin(left);
    let result: unknown = null;
    const { stackTraceLimit } = Error;
    // CEL makes an error of each failure that the expression catches: their traces would take most of the
    // time.
    Error.stackTraceLimit = 0;
    try {
      result = evaluate(expressionValues(subject, argumentsOf, work));
    } catch {
      // It decides against the transaction.
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
    const { missing, left: rest } = work;
    return { result: typeof result === 'boolean' ? result : null, missing, left: rest };
  }

  function compile() {
    const syntax = expressionEnvironment(noLiterals(), work).parse(text);
    const { literals, ...inspected } = inspectExpression(syntax.ast);
    const environment = expressionEnvironment(literals, work);
    const checked = environment.check(text);
    if (!checked.valid)
      throw new Error(`is not a valid expression: ${checked.error?.message.split('\n')[0] ?? ''}`);
    if (String(checked.type) !== 'bool') {
      throw new Error(`must be true or false, not ${String(checked.type)}`);
    }
    const evaluate = environment.parse(text);
    work.measure(evaluate.ast as unknown as ExpressionNode);
    return { evaluate, ...inspected };
  }
};

interface Evaluation {
  /** Null where the expression fails. */
  readonly result: boolean | null;
  /** The calls whose arguments it lacks. */
  readonly missing: ReadonlySet<MoveCall>;
  /** Of the work that it may take; negative: that was too little. */
  readonly left: number;
}

const lacksArguments = ({ result, missing, left }: Evaluation) =>
  result === null && missing.size > 0 && left >= 0;

const noArguments = () => null;
