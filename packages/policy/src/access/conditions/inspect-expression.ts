import { RE2JS } from 're2js';
import { type MatchCall, readCommandKind, readFunctionPattern } from './move-call-conditions.js';

/** A node of a parsed expression: an operator and its arguments. */
interface Node {
  readonly op: string;
  readonly args: unknown;
}

/** Macros that evaluate their argument for each element of a list. */
const LOOPS = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);
/** Functions that iterate over a list. */
const LOOPING_FUNCTIONS = new Set(['onlyCalls', 'onlyCommands']);
const LONGEST_PATTERN = 200;
const MAX_NAMES = 100;

/** Literals of an expression, compiled, by their text. */
export interface ExpressionLiterals {
  /** Patterns of `matches`. */
  readonly patterns: Map<string, RE2JS>;
  /** Functions of `onlyCalls`. */
  readonly functions: Map<string, MatchCall>;
}

export const noLiterals = (): ExpressionLiterals => ({
  patterns: new Map(),
  functions: new Map(),
});

/** The results of inspecting an expression's syntax. */
export interface InspectedExpression {
  /** The greatest depth of nested loops. */
  readonly loopDepth: number;
  /**
   * It tests all calls, or that no call exists with a property, which is true in CEL if there are no calls.
   */
  readonly asksAllCalls: boolean;
  readonly literals: ExpressionLiterals;
}

/**
 * Checks in an expression's syntax the properties that its types do not show. Throws `Error` for `dyn`, which
 * bypasses the declared types; for patterns that are not RE2, whose matching takes linear time; and for
 * patterns and lists of functions or kinds that are not literals, or are invalid.
 */
export function inspectExpression(root: unknown): InspectedExpression {
  const inspection = new Inspection();
  const loopDepth = inspection.visit(root);
  const { asksAllCalls, literals } = inspection;
  return { loopDepth, asksAllCalls, literals };
}

class Inspection {
  readonly literals = noLiterals();
  asksAllCalls = false;

  /** Returns the greatest depth of nested loops in it. */
  visit(node: unknown): number {
    if (Array.isArray(node)) {
      return node.reduce<number>((deepest, one) => Math.max(deepest, this.visit(one)), 0);
    }
    if (!isNode(node)) return 0;
    const [name, ...rest] = Array.isArray(node.args) ? (node.args as unknown[]) : [];
    if (node.op === 'call') this.visitCall(String(name), (rest[0] ?? []) as unknown[]);
    if (node.op === 'rcall' && name === 'matches') {
      throw new Error('must write matches(text, "pattern")');
    }
    if (testsCalls(node, 'all') || (node.op === '!_' && testsCalls(node.args, 'exists'))) {
      this.asksAllCalls = true;
    }
    const inside = this.visit(node.args);
    const isLoop =
      node.op === 'rcall' ? LOOPS.has(String(name)) : LOOPING_FUNCTIONS.has(String(name));
    return isLoop ? inside + 1 : inside;
  }

  private visitCall(name: string, [, argument]: unknown[]): void {
    const { patterns, functions } = this.literals;
    if (name === 'dyn') throw new Error('must not use dyn');
    if (name === 'matches') {
      const pattern = readText(argument);
      if (pattern === null) throw new Error('must write the pattern of matches as text in quotes');
      patterns.set(pattern, compile(pattern));
    }
    if (name === 'onlyCalls') {
      for (const text of readTexts(name, argument)) functions.set(text, readFunctionPattern(text));
    }
    if (name === 'onlyCommands') readTexts(name, argument).forEach(readCommandKind);
  }
}

/** Whether the node applies the macro to a list that names `calls`. */
function testsCalls(node: unknown, macro: string): boolean {
  if (!isNode(node) || node.op !== 'rcall' || !Array.isArray(node.args)) return false;
  const [name, receiver] = node.args as unknown[];
  return name === macro && namesCalls(receiver);
}

function namesCalls(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(namesCalls);
  if (!isNode(node)) return node === 'calls';
  return namesCalls(node.args);
}

function readText(node: unknown): string | null {
  return isNode(node) && node.op === 'value' && typeof node.args === 'string' ? node.args : null;
}

function readTexts(name: string, node: unknown): string[] {
  const items = isNode(node) && node.op === 'list' && Array.isArray(node.args) ? node.args : [];
  const texts = items.map(readText).filter((text) => text !== null);
  if (texts.length === 0 || texts.length < items.length || texts.length > MAX_NAMES) {
    throw new Error(
      `must write ${name}(tx, ["…", "…"]), with a list of 1 to ${MAX_NAMES} texts in quotes`,
    );
  }
  return texts;
}

function compile(pattern: string): RE2JS {
  if (pattern.length > LONGEST_PATTERN) {
    throw new Error(`has a pattern of more than ${LONGEST_PATTERN} characters`);
  }
  try {
    return RE2JS.compile(pattern);
  } catch (cause) {
    throw new Error(`has an invalid pattern: ${(cause as Error).message}`, { cause });
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value;
}
