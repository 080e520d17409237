import type { DecodedTransaction } from '@forecourt/ledger';
import type { AccessAction, Condition } from './access-rules.js';

/** Reads a condition's value; throws `Error` saying what it must be. */
export type ConditionReader = (value: unknown, action: AccessAction) => Condition['holds'];

const ANY = '*';
const ADDRESS = /^0x[0-9a-f]{1,64}$/i;
const COMPARISON = /^\s*(=|!=|<=|>=|<|>)\s*(\d{1,20})\s*$/;
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Every condition a rule may have, in the order in which they are looked at. */
export const conditionReaders: Readonly<Record<string, ConditionReader>> = {
  'sender-address': (value) => {
    const senders = readAddresses(value);
    return ({ sender }) => senders === null || senders.has(sender);
  },
  'transaction-gas-budget': (value) => {
    const fits = readComparison(value);
    return ({ gasBudget }) => fits(gasBudget);
  },
  'ptb-command-count': (value) => {
    const fits = readComparison(value);
    return ({ commandCount }) => fits(BigInt(commandCount));
  },
  'move-call-package-address': (value, action) => {
    const packages = readAddresses(value);
    return ofMoveCalls(action, ({ packageId }) => packages === null || packages.has(packageId));
  },
  'move-call-function': (value, action) => {
    const matchers = readList(value).map(readFunction);
    return ofMoveCalls(action, (call) => matchers.some((matches) => matches(call)));
  },
};

type MoveCall = DecodedTransaction['moveCalls'][number];

/**
 * What allows must speak for every Move call of the transaction, or a call that nobody allowed could ride along with one
 * that is; what denies need find only one.
 */
function ofMoveCalls(
  action: AccessAction,
  matches: (call: MoveCall) => boolean,
): Condition['holds'] {
  return action === 'allow'
    ? ({ moveCalls }) => moveCalls.length > 0 && moveCalls.every(matches)
    : ({ moveCalls }) => moveCalls.some(matches);
}

/** `<package>::<module>::<function>`; `*` stands for any part. */
function readFunction(value: unknown): (call: MoveCall) => boolean {
  const [packageId, module, name, ...rest] = typeof value === 'string' ? value.split('::') : [];
  const isName = (part: string | undefined) => part === ANY || IDENTIFIER.test(part ?? '');
  if (rest.length > 0 || !isName(module) || !isName(name)) {
    throw new Error('must be <package>::<module>::<function>, or a list of these; * is any');
  }
  const packages = readAddresses(packageId);
  return (call) =>
    (packages === null || packages.has(call.packageId)) &&
    (module === ANY || call.module === module) &&
    (name === ANY || call.function === name);
}

/** In full form; null for any. */
function readAddresses(value: unknown): ReadonlySet<string> | null {
  if (value === ANY) return null;
  return new Set(
    readList(value).map((address) => {
      if (typeof address !== 'string' || !ADDRESS.test(address)) {
        throw new Error('must be an address in quotes (0x and hex digits), a list of these, or *');
      }
      return `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
    }),
  );
}

function readList(value: unknown): readonly unknown[] {
  const list = Array.isArray(value) ? (value as unknown[]) : [value];
  if (list.length === 0) throw new Error('must not be an empty list');
  return list;
}

function readComparison(value: unknown): (amount: bigint) => boolean {
  const [, operator, digits] = COMPARISON.exec(typeof value === 'string' ? value : '') ?? [];
  if (operator === undefined) {
    throw new Error('must be one of = != < > <= >= and a whole number, such as <=1000000');
  }
  const limit = BigInt(digits!);
  switch (operator) {
    case '=':
      return (amount) => amount === limit;
    case '!=':
      return (amount) => amount !== limit;
    case '<':
      return (amount) => amount < limit;
    case '>':
      return (amount) => amount > limit;
    case '<=':
      return (amount) => amount <= limit;
    default:
      return (amount) => amount >= limit;
  }
}
