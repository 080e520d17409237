import { canonicalAddress } from '@forecourt/contracts';
import { ADDRESS_TYPES, type ArgumentValue, type CallArgument } from '@forecourt/ledger';
import type { YamlValue } from '../../yaml/index.js';
import { measured } from '../access-subject.js';
import type { Quantifier, ReadCondition } from './condition.js';
import { type MatchCall, readFunctionPattern } from './move-call-conditions.js';
import { type Comparison, decisiveAmounts, fits } from './read-operands.js';

/** Of a Move function; the ledger takes fewer. */
const MOST_ARGUMENTS = 512;

interface NamedArgument {
  /** As the file names it. */
  readonly function: string;
  readonly isCallOf: MatchCall;
  /** From 0, without the transaction context. */
  readonly index: number;
  readonly operands: Operands;
}

/**
 * `argument`: `{function, index, value}` or a list. A rule that allows needs every call of the function to
 * have such an argument, in every entry, and at least one call of a function that an entry names; one that
 * denies needs one call that has it in one entry. An argument whose value is not known is undecided: it does
 * not allow, and it denies.
 */
export const readArgument: ReadCondition = (value, _context, quantifier) => {
  const entries = value.list().map(readEntry);
  if (quantifier === 'every') requirePossible(value, entries);
  const isRelevant: MatchCall = (call) => entries.some(({ isCallOf }) => isCallOf(call));
  return async (subject, quantifier) => {
    const { moveCalls } = subject.transaction;
    if (!moveCalls.some(isRelevant)) return false;
    const argumentsOf = await subject.readArguments(isRelevant);
    const isMatched = ({ isCallOf, index, operands }: NamedArgument) => {
      const indexes = [...moveCalls.keys()].filter((position) => isCallOf(moveCalls[position]!));
      const comparison = new ArgumentComparison(operands, quantifier);
      const holds = (position: number) =>
        comparison.isAnyOf(argumentsOf(position)[index]) ?? quantifier === 'any';
      return quantifier === 'every' ? indexes.every(holds) : indexes.some(holds);
    };
    return measured(subject, () =>
      quantifier === 'every' ? entries.every(isMatched) : entries.some(isMatched),
    );
  };
};

/** Whether an entry of `argument` names the function of a call. Throws `InvalidFile`. */
export function readArgumentFunctions(value: YamlValue): MatchCall {
  const named = value.list().map((one) => one.map().require('function').parse(readFunctionPattern));
  return (call) => named.some((matches) => matches(call));
}

function readEntry(value: YamlValue): NamedArgument {
  const map = value.map();
  const named = map.require('function');
  const isCallOf = named.parse(readFunctionPattern);
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
  for (const [position, operand] of read.entries()) {
    if (operand.operator !== '=' && !canHold([gather([operand])])) {
      operands[position]!.fail(`never holds: no argument fits ${operands[position]!.text()}`);
    }
  }
  return { function: named.text(), isCallOf, index, operands: gather(read) };
}

/** Throws `InvalidFile` if entries about one argument contradict each other. */
function requirePossible(value: YamlValue, entries: readonly NamedArgument[]): void {
  const ofOne = Object.groupBy(entries, (entry) => `${entry.function}, index ${entry.index}`);
  for (const [name, together] of Object.entries(ofOne)) {
    if (canHold(together!.map(({ operands }) => operands))) continue;
    value.fail(`never holds: no argument fits all entries for ${name}`);
  }
}

const MOST_INTEGER = 2n ** 256n - 1n;
/** Values that no file names. */
const OTHERS = [`0x${'f'.repeat(64)}`, '\0'];

/** Whether one value fits all operands. */
function canHold(all: readonly Operands[]): boolean {
  const named = all.flatMap(({ named: operands }) => operands);
  const limits = named.flatMap(({ integer }) => integer ?? []);
  const values: [ArgumentValue, string][] = [
    ...decisiveAmounts(limits, 0n, MOST_INTEGER).map((one): [bigint, string] => [one, 'u256']),
    ...[...named.flatMap(({ address }) => address ?? []), OTHERS[0]!].map(
      (one): [string, string] => [one, 'address'],
    ),
    ...[...named.map(({ text }) => text), OTHERS[1]!].map((one): [string, string] => [one, TEXT]),
    [true, 'bool'],
    [false, 'bool'],
  ];
  const comparisons = all.map((operands) => new ArgumentComparison(operands, 'every'));
  return values.some(([value, type]) =>
    comparisons.every((one) => one.isAnyOf({ kind: 'pure', isLent: false, value, type }) === true),
  );
}

const TEXT = '0x1::string::String';

/** The right side of a comparison, for each kind of value that it may be compared with. */
interface Operand {
  readonly operator: Comparison['operator'];
  readonly text: string;
  readonly integer: bigint | null;
  /** In full form. */
  readonly address: string | null;
}

/**
 * `<=1000`, `!=0x5`, `true`, `hello`: without an operator, equal. Throws `Error` with the required format.
 */
function readOperand(entry: string): Operand {
  const [, operator = '=', text = ''] = /^(=|!=|<=|>=|<|>)?(.*)$/s.exec(entry) ?? [];
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

/** Operands, of which any may hold, so that a long list of values costs as much as one. */
interface Operands {
  readonly named: readonly Operand[];
  readonly texts: ReadonlySet<string>;
  readonly integers: ReadonlySet<bigint>;
  readonly addresses: ReadonlySet<string>;
  /** Those with an operator. */
  readonly others: readonly Operand[];
  /** Whether every operand can be compared with values of the kind. */
  readonly fits: Readonly<Record<'integer' | 'address' | 'text' | 'boolean', boolean>>;
}

function gather(operands: readonly Operand[]): Operands {
  const equal = operands.filter(({ operator }) => operator === '=');
  const isEquality = operands.every(({ operator }) => operator === '=' || operator === '!=');
  return {
    named: operands,
    texts: new Set(equal.map(({ text }) => text)),
    integers: new Set(equal.map(({ integer }) => integer).filter((one) => one !== null)),
    addresses: new Set(equal.map(({ address }) => address).filter((one) => one !== null)),
    others: operands.filter(({ operator }) => operator !== '='),
    fits: {
      integer: operands.every(({ integer }) => integer !== null),
      address: isEquality && operands.every(({ address }) => address !== null),
      text: isEquality,
      boolean: isEquality && operands.every(({ text }) => text === 'true' || text === 'false'),
    },
  };
}

/** Compares the arguments of one transaction with operands: each value once, however many calls take it. */
class ArgumentComparison {
  readonly #compared = new Map<ArgumentValue, boolean | undefined>();
  readonly #areAddresses = new Map<string, boolean>();

  constructor(
    private readonly operands: Operands,
    private readonly quantifier: Quantifier,
  ) {}

  /**
   * Whether the argument has one of the values: a vector, all its elements to allow, one to deny. Undefined:
   * its value is not known, or cannot be compared with them.
   */
  isAnyOf(argument: CallArgument | undefined): boolean | undefined {
    if (argument?.kind === 'object') return this.compare(argument.objectId, true);
    if (argument?.kind !== 'pure') return undefined;
    const { value, type } = argument;
    if (value === undefined || type === null) return undefined;
    if (typeof value !== 'object' || value === null) {
      return this.compare(value, this.areAddresses(type));
    }
    if (!this.#compared.has(value)) {
      this.#compared.set(value, this.compareAll(value, this.areAddresses(type)));
    }
    return this.#compared.get(value);
  }

  private areAddresses(type: string): boolean {
    let areAddresses = this.#areAddresses.get(type);
    if (areAddresses === undefined) {
      areAddresses = ADDRESS_TYPES.has(innermost(type));
      this.#areAddresses.set(type, areAddresses);
    }
    return areAddresses;
  }

  private compareAll(vector: ArgumentVector, isAddress: boolean): boolean | undefined {
    const deciding = this.quantifier === 'any';
    let isKnown = true;
    // Of bytes, no more than 256 are different.
    const elements = vector instanceof Uint8Array ? [...new Set(vector)].map(BigInt) : vector;
    for (const value of elements) {
      const holds =
        typeof value === 'object' && value !== null
          ? this.compareAll(value, isAddress)
          : this.compare(value, isAddress);
      if (holds === deciding) return deciding;
      isKnown &&= holds !== undefined;
    }
    return isKnown ? !deciding : undefined;
  }

  private compare(
    value: Exclude<ArgumentValue, ArgumentVector>,
    isAddress: boolean,
  ): boolean | undefined {
    if (value === null) return false;
    const { operands } = this;
    const { texts, integers, addresses, others, fits: comparable } = operands;
    if (typeof value === 'bigint') {
      if (integers.has(value) || others.some((one) => compareInteger(value, one))) return true;
      return comparable.integer ? false : undefined;
    }
    const text = String(value);
    const kind = typeof value === 'boolean' ? 'boolean' : isAddress ? 'address' : 'text';
    const isEqual = isAddress ? addresses.has(text) : texts.has(text);
    const isUnequal = ({ operator, text: other, address }: Operand) =>
      operator === '!=' && (isAddress ? address !== null && address !== text : other !== text);
    if (isEqual) return true;
    if (!comparable[kind]) return undefined;
    return others.some(isUnequal);
  }
}

function compareInteger(value: bigint, { operator, integer }: Operand): boolean {
  return integer !== null && fits({ operator, limit: integer }, value);
}

type ArgumentVector = Extract<ArgumentValue, object>;

/** `vector<0x1::option::Option<address>>` → `address`. */
function innermost(type: string): string {
  return type.replace(/^(?:vector<|0x0*1::option::Option<)*/, '').replace(/>+$/, '');
}
