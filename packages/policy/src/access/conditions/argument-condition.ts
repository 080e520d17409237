import { canonicalAddress } from '@forecourt/contracts';
import { ADDRESS_TYPES, type ArgumentValue, type CallArgument } from '@forecourt/ledger';
import type { YamlValue } from '../../yaml/index.js';
import type { Quantifier, ReadCondition } from './condition.js';
import { type MatchCall, readFunctionPattern } from './move-call-conditions.js';
import { type Comparison, fits } from './read-operands.js';

/** Of a Move function; the ledger takes fewer. */
const MOST_ARGUMENTS = 512;

interface NamedArgument {
  readonly isCallOf: MatchCall;
  /** From 0, without the transaction context. */
  readonly index: number;
  /** Any of them. */
  readonly operands: readonly Operand[];
}

/**
 * `argument`: `{function, index, value}` or a list. A rule that allows needs every call of the function to have such an
 * argument, in every entry, and at least one call of a function that an entry names; one that denies needs one call that has
 * it in one entry. An argument whose value is not known is undecided: it does not allow, and it denies.
 */
export const readArgument: ReadCondition = (value) => {
  const entries = value.list().map(readEntry);
  const isAsked: MatchCall = (call) => entries.some(({ isCallOf }) => isCallOf(call));
  return async ({ transaction: { moveCalls }, readArguments }, quantifier) => {
    if (!moveCalls.some(isAsked)) return false;
    const calls = await readArguments(isAsked);
    const isMatched = ({ isCallOf, index, operands }: NamedArgument) => {
      const asked = calls.filter((_, at) => isCallOf(moveCalls[at]!));
      const holds = (call: readonly CallArgument[]) =>
        isAnyOf(call[index], operands, quantifier) ?? quantifier === 'any';
      return quantifier === 'every' ? asked.every(holds) : asked.some(holds);
    };
    return quantifier === 'every' ? entries.every(isMatched) : entries.some(isMatched);
  };
};

/** Whether an entry of `argument` names the function of a call. Throws `InvalidFile`. */
export function readArgumentFunctions(value: YamlValue): MatchCall {
  const named = value.list().map((one) => one.map().require('function').parse(readFunctionPattern));
  return (call) => named.some((matches) => matches(call));
}

function readEntry(value: YamlValue): NamedArgument {
  const map = value.map();
  const isCallOf = map.require('function').parse(readFunctionPattern);
  const index = map.require('index').parse((text) => {
    const read = /^\d{1,3}$/.test(text) ? Number(text) : MOST_ARGUMENTS;
    if (read >= MOST_ARGUMENTS) {
      throw new Error('must be the position of an argument, from 0, as the transaction has it');
    }
    return read;
  });
  const operands = map.require('value').list();
  const read = operands.map((one) => one.parse(readOperand));
  if (read.length > 1 && read.some(({ operator }) => operator === '!=')) {
    value.fail('has != in a list, of which any value holds; write an entry for each');
  }
  map.refuseOthers('an argument');
  return { isCallOf, index, operands: read };
}

/** The right side of a comparison, for each kind of value that it may be compared with. */
interface Operand {
  readonly operator: Comparison['operator'];
  readonly text: string;
  readonly integer: bigint | null;
  /** In full form. */
  readonly address: string | null;
}

/** `<=1000`, `!=0x5`, `true`, `hello`: without an operator, equal. Throws `Error` with the required format. */
function readOperand(given: string): Operand {
  const [, operator = '=', text = ''] = /^(=|!=|<=|>=|<|>)?(.*)$/s.exec(given) ?? [];
  const digits = text.trim().replaceAll('_', '');
  const integer = /^\d{1,78}$/.test(digits) ? BigInt(digits) : null;
  if (integer === null && operator.search(/[<>]/) >= 0) {
    throw new Error('must have a whole number after <, >, <= and >=');
  }
  return {
    operator: operator as Operand['operator'],
    text,
    integer,
    address: canonicalAddress(text.trim()),
  };
}

/**
 * Whether the argument has one of the values: a vector, all its elements to allow, one to deny. Undefined: its value is
 * not known, or cannot be compared with them.
 */
function isAnyOf(
  argument: CallArgument | undefined,
  operands: readonly Operand[],
  quantifier: Quantifier,
): boolean | undefined {
  if (argument?.kind === 'object') return compare(argument.objectId, true, operands);
  if (argument?.kind !== 'pure' || argument.value === undefined) return undefined;
  const isAddress = ADDRESS_TYPES.has(innermost(argument.type ?? ''));
  const holds = (value: ArgumentValue): boolean | undefined => {
    if (!isVector(value)) return compare(value, isAddress, operands);
    const found = value.map(holds);
    const deciding = quantifier === 'any';
    if (found.includes(deciding)) return deciding;
    return found.includes(undefined) ? undefined : !deciding;
  };
  return holds(argument.value);
}

function isVector(value: ArgumentValue): value is readonly ArgumentValue[] {
  return Array.isArray(value);
}

/** `vector<0x1::option::Option<address>>` → `address`. */
function innermost(type: string): string {
  return type.replace(/^(?:vector<|0x0*1::option::Option<)*/, '').replace(/>+$/, '');
}

function compare(
  value: Exclude<ArgumentValue, readonly ArgumentValue[]>,
  isAddress: boolean,
  operands: readonly Operand[],
): boolean | undefined {
  if (value === null) return false;
  const compared = operands.map((operand) => compareOne(value, isAddress, operand));
  if (compared.includes(true)) return true;
  return compared.includes(undefined) ? undefined : false;
}

function compareOne(
  value: bigint | boolean | string,
  isAddress: boolean,
  { operator, text, integer, address }: Operand,
): boolean | undefined {
  if (typeof value === 'bigint') {
    return integer === null ? undefined : fits({ operator, limit: integer }, value);
  }
  if (operator !== '=' && operator !== '!=') return undefined;
  const isEqual = operator === '=';
  if (typeof value === 'boolean') {
    return text === 'true' || text === 'false' ? (text === String(value)) === isEqual : undefined;
  }
  if (!isAddress) return (text === value) === isEqual;
  return address === null ? undefined : (address === value) === isEqual;
}
