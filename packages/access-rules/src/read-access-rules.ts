import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml';
import {
  type AccessAction,
  type AccessPolicy,
  type AccessRule,
  type AccessRules,
  type Condition,
  InvalidAccessRules,
} from './access-rules.js';
import { type ConditionReader, conditionReaders } from './condition-readers.js';

const POLICIES: readonly AccessPolicy[] = ['disabled', 'allow-all', 'deny-all'];
/** Keys of the format that this service does not serve. To read past one would allow what its author meant to limit. */
const NOT_SERVED = ['gas-usage', 'rego-expression', 'expression'];
const LARGEST_FILE = 4 * 2 ** 20;

/**
 * Reads a file of rules in the format of IOTA's gas station: `access-controller` with `access-policy` and `rules`. What it
 * does not know it refuses. Throws `InvalidAccessRules` naming the line.
 */
export function readAccessRules(text: string): AccessRules {
  if (text.length > LARGEST_FILE) throw new InvalidAccessRules(1, 'the file is too large');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const lineOf = (node: Node | null | undefined) => lines.linePos(node?.range?.[0] ?? 0).line || 1;
  const [error] = document.errors;
  if (error) {
    throw new InvalidAccessRules(lines.linePos(error.pos[0]).line, error.message.split('\n')[0]!);
  }
  const root = new MapReader(document.contents, 'the file', lineOf);
  const controller = root.take('access-controller');
  root.refuseOthers();
  const top = new MapReader(controller, 'access-controller', lineOf);
  const policy = readPolicy(top.take('access-policy'), lineOf);
  const rules = readRules(top.take('rules'), lineOf);
  top.refuseOthers();
  return { policy, rules };
}

type LineOf = (node: Node | null | undefined) => number;

function readPolicy(node: Node | null, lineOf: LineOf): AccessPolicy {
  const policy = POLICIES.find((one) => isScalar(node) && node.value === one);
  if (policy) return policy;
  throw new InvalidAccessRules(lineOf(node), `access-policy must be one of ${POLICIES.join(', ')}`);
}

function readRules(node: Node | null, lineOf: LineOf): AccessRule[] {
  if (node === null || (isScalar(node) && node.value === null)) return [];
  if (!isSeq(node)) throw new InvalidAccessRules(lineOf(node), 'rules must be a list');
  return node.items.map((item) => readRule(item as Node, lineOf));
}

function readRule(node: Node, lineOf: LineOf): AccessRule {
  const rule = new MapReader(node, 'a rule', lineOf);
  const action = readAction(rule.take('action'), lineOf, lineOf(node));
  const conditions: Condition[] = [];
  for (const [name, read] of Object.entries(conditionReaders)) {
    const value = rule.take(name);
    if (value !== null) conditions.push(readCondition(name, value, action, read, lineOf));
  }
  rule.refuseOthers();
  return { line: lineOf(node), conditions, action };
}

function readAction(node: Node | null, lineOf: LineOf, ruleLine: number): AccessAction {
  if (node === null) throw new InvalidAccessRules(ruleLine, 'the rule has no action');
  const value = isScalar(node) ? node.value : undefined;
  if (value === 'allow' || value === 'deny') return value;
  const isUrl = typeof value === 'string' ? /^https?:/.test(value) : isMap(node);
  throw new InvalidAccessRules(
    lineOf(node),
    isUrl ? 'an action that asks a hook is not served' : 'action must be allow or deny',
  );
}

function readCondition(
  name: string,
  node: Node,
  action: AccessAction,
  read: ConditionReader,
  lineOf: LineOf,
): Condition {
  try {
    return { name, holds: read(node.toJSON() as unknown, action) };
  } catch (error) {
    throw new InvalidAccessRules(lineOf(node), `${name} ${(error as Error).message}`);
  }
}

/** Takes a mapping apart; what nobody took is refused, since a misspelt condition would be no condition. */
class MapReader {
  readonly #map: YAMLMap;
  readonly #known = new Set<string>();

  constructor(
    node: unknown,
    private readonly what: string,
    private readonly lineOf: LineOf,
  ) {
    if (!isMap(node)) {
      throw new InvalidAccessRules(lineOf(node as Node | null), `${what} must be a mapping`);
    }
    this.#map = node;
  }

  take(key: string): Node | null {
    this.#known.add(key);
    return (this.#map.get(key, true) as Node | undefined) ?? null;
  }

  refuseOthers(): void {
    for (const { key } of this.#map.items) {
      const name = String(isScalar(key) ? key.value : key);
      if (this.#known.has(name)) continue;
      const reason = NOT_SERVED.includes(name)
        ? `${name} is not served`
        : `${this.what} has no ${name}`;
      throw new InvalidAccessRules(this.lineOf(key as Node), reason);
    }
  }
}
