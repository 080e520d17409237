import { RE2JS } from 're2js';

/** A node of a parsed expression: an operator and what it takes. */
interface Node {
  readonly op: string;
  readonly args: unknown;
}

/** Macros that go through a list once for each of its elements. */
const LOOPS = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);
const LONGEST_PATTERN = 200;

/** What an expression needs, found in its syntax. */
export interface InspectedExpression {
  /** How many loops stand inside one another, at most. */
  readonly loopDepth: number;
  readonly patterns: ReadonlyMap<string, RE2JS>;
}

/**
 * Looks through an expression's syntax for what types do not tell. Throws `Error` for `dyn`, which would lead past the
 * declared types, and for patterns that are not RE2, which alone runs in linear time.
 */
export function inspectExpression(root: unknown): InspectedExpression {
  const patterns = new Map<string, RE2JS>();
  const loopDepth = visit(root, patterns);
  return { loopDepth, patterns };
}

function visit(node: unknown, patterns: Map<string, RE2JS>): number {
  if (Array.isArray(node)) {
    return node.reduce<number>((deepest, one) => Math.max(deepest, visit(one, patterns)), 0);
  }
  if (!isNode(node)) return 0;
  const [name, ...rest] = Array.isArray(node.args) ? (node.args as unknown[]) : [];
  if (node.op === 'call' && name === 'dyn') throw new Error('must not use dyn');
  if (node.op === 'rcall' && name === 'matches') {
    throw new Error('must write matches(text, "pattern")');
  }
  if (node.op === 'call' && name === 'matches') readPattern(rest, patterns);
  const inside = visit(node.args, patterns);
  return node.op === 'rcall' && LOOPS.has(String(name)) ? inside + 1 : inside;
}

function readPattern(rest: unknown[], patterns: Map<string, RE2JS>): void {
  const [, pattern] = (rest[0] ?? []) as unknown[];
  if (!isNode(pattern) || pattern.op !== 'value' || typeof pattern.args !== 'string') {
    throw new Error('must give matches its pattern as a text in quotes');
  }
  if (pattern.args.length > LONGEST_PATTERN) throw new Error('has a pattern that is too long');
  try {
    patterns.set(pattern.args, RE2JS.compile(pattern.args));
  } catch (cause) {
    throw new Error(`has a wrong pattern: ${(cause as Error).message}`, { cause });
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value;
}
