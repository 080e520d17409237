import type { MoveCall } from '@forecourt/ledger';

/**
 * About ten milliseconds. A unit is a character, byte or element of what callers choose that an expression
 * looks at.
 */
const MAX_UNITS = 524_288;
/** The evaluation of one node. */
const UNITS_OF_STEP = 7;
/** A failure that the expression catches. */
const UNITS_OF_FAILURE = 75;
/** CEL makes an error for most, with a picture of the expression. */
const unitsOfError = (length: number) => 300 + length / 2;
/** Longer than the names that ledgers accept. */
const SHORT = 128;

/** Made once: an expression may catch thousands of them. */
const tooMuch = new Error('the expression works too long on the transaction');
const notKnown = new Error('the argument has no such field, or it is not known');

/** A node of a checked expression. */
export interface ExpressionNode {
  readonly op: string;
  readonly args: unknown;
  evaluate: (evaluator: Evaluator, node: ExpressionNode, context: unknown) => unknown;
}

/**
 * That part of CEL's evaluator which evaluates each node, and catches each failure that does not end the
 * expression.
 */
interface Evaluator {
  run(node: ExpressionNode, context: unknown): unknown;
  tryEval(node: ExpressionNode, context: unknown): unknown;
}

/** Nodes whose result is that of another node, or a list that still grows. */
const PASSING = new Set(['?:', 'accuPush', 'accuValue']);

/**
 * The work of evaluations of an expression. It ends an evaluation that would take longer, whatever the
 * expression catches.
 */
export class ExpressionWork {
  #left = 0;
  /** Lists of which one element is read. */
  readonly #indexed = new WeakSet<object>();
  /** Lists that the rule states, which would be made again for each element of another one. */
  readonly #stated = new WeakMap<ExpressionNode, readonly unknown[]>();
  /** The calls whose arguments the evaluation has missed. */
  missing = new Set<MoveCall>();

  /** `length`: of the expression. */
  constructor(private readonly length: number) {}

  begin(left = MAX_UNITS): void {
    this.#left = left;
    this.missing = new Set();
  }

  /** Negative: the evaluation was ended. */
  get left(): number {
    return this.#left;
  }

  /** Counts the work of an expression: CEL bounds no evaluation. */
  measure(root: ExpressionNode): void {
    const { evaluate } = root;
    root.evaluate = (evaluator, ...rest) => {
      evaluator.run = (node, context) => this.run(evaluator, node, context);
      evaluator.tryEval = (node, context) => this.catchFailure(evaluator, node, context);
      root.evaluate = evaluate;
      return root.evaluate(evaluator, ...rest);
    };
  }

  private run(evaluator: Evaluator, node: ExpressionNode, context: unknown): unknown {
    this.spend(UNITS_OF_STEP);
    if (node.op === '[]') this.#indexed.add((node.args as object[])[0]!);
    let result: unknown = this.#stated.get(node);
    if (result === undefined) {
      result = node.evaluate(evaluator, node, context);
      if (isStated(node)) this.#stated.set(node, result as readonly unknown[]);
    }
    // Before an operator or a function looks at all of it.
    const isText = typeof result === 'string';
    if ((isText || Array.isArray(result)) && !PASSING.has(node.op) && !this.#indexed.has(node)) {
      this.spend(unitsOf(result));
    }
    return result;
  }

  private catchFailure(evaluator: Evaluator, node: ExpressionNode, context: unknown): unknown {
    try {
      return evaluator.run(node, context);
    } catch (error) {
      // This throws again at what has ended the evaluation.
      this.spend(error === notKnown ? UNITS_OF_FAILURE : unitsOfError(this.length));
      return error;
    }
  }

  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw tooMuch;
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

/** CEL fills empty lists while it evaluates. */
function isStated({ op, args }: ExpressionNode): boolean {
  if (op !== 'list') return false;
  const elements = args as readonly ExpressionNode[];
  return elements.length > 0 && elements.every((one) => one.op === 'value');
}

const units = new WeakMap<object, number>();

/** Elements of a list, which must not change unless it is empty, and characters of long texts. */
export function unitsOf(value: unknown): number {
  if (typeof value === 'string') return value.length > SHORT ? value.length : 0;
  if (value instanceof Uint8Array) return value.length;
  if (!Array.isArray(value) || value.length === 0) return 0;
  let known = units.get(value);
  if (known === undefined) {
    known = value.reduce<number>((sum, element) => sum + unitsOf(element), value.length);
    units.set(value, known);
  }
  return known;
}
