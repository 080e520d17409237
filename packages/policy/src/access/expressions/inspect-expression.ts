import { RE2JS } from 're2js';
import { readCommandKind } from '../conditions/read-command-kinds.js';
import { type MatchCall, readFunctionPattern } from '../conditions/read-function-pattern.js';

/** A node of a parsed expression: an operator and what it takes. */
interface Node {
  readonly op: string;
  readonly args: unknown;
}

/** Macros that go through a list once for each of its elements. */
const LOOPS = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);
/** Functions that do the same. */
const LOOPING_FUNCTIONS = new Set(['onlyCalls', 'onlyCommands']);
const LONGEST_PATTERN = 200;
const MOST_NAMES = 100;

/** What an expression says in quotes, compiled, by its text. */
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

/** What an expression needs, found in its syntax. */
export interface InspectedExpression {
  /** How many loops stand inside one another, at most. */
  readonly loopDepth: number;
  /** It asks something of `all` calls, which CEL answers with true where there are none. */
  readonly asksAllCalls: boolean;
  readonly literals: ExpressionLiterals;
}

/**
 * Looks through an expression's syntax for what types do not tell. Throws `Error` for `dyn`, which would lead past the
 * declared types, for patterns that are not RE2, which alone runs in linear time, and for lists of functions and kinds
 * that are not written out, which could not be checked.
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

  /** How many loops stand inside one another there. */
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
    if (node.op === 'rcall' && name === 'all' && namesCalls(rest[0])) this.asksAllCalls = true;
    const inside = this.visit(node.args);
    const isLoop =
      node.op === 'rcall' ? LOOPS.has(String(name)) : LOOPING_FUNCTIONS.has(String(name));
    return isLoop ? inside + 1 : inside;
  }

  private visitCall(name: string, [, given]: unknown[]): void {
    const { patterns, functions } = this.literals;
    if (name === 'dyn') throw new Error('must not use dyn');
    if (name === 'matches') {
      const pattern = readText(given);
      if (pattern === null) throw new Error('must give matches its pattern as a text in quotes');
      patterns.set(pattern, compile(pattern));
    }
    if (name === 'onlyCalls') {
      for (const text of readTexts(name, given)) functions.set(text, readFunctionPattern(text));
    }
    if (name === 'onlyCommands') readTexts(name, given).forEach(readCommandKind);
  }
}

/** Whether `calls` is named in what stands before `.all(`. */
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
  if (texts.length === 0 || texts.length < items.length || texts.length > MOST_NAMES) {
    throw new Error(
      `must write ${name}(tx, ["…", "…"]), with a list of 1 to ${MOST_NAMES} texts in quotes`,
    );
  }
  return texts;
}

function compile(pattern: string): RE2JS {
  if (pattern.length > LONGEST_PATTERN)
    throw new Error(`has a pattern of more than ${LONGEST_PATTERN} characters`);
  try {
    return RE2JS.compile(pattern);
  } catch (cause) {
    throw new Error(`has an invalid pattern: ${(cause as Error).message}`, { cause });
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value;
}
