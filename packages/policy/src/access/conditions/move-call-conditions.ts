import { type CommandKind, commandKinds, type MoveCall } from '@forecourt/ledger';
import type { ReadTransactionCondition } from './condition.js';
import { ANY, readAddress, readAddresses } from './read-operands.js';
import type { YamlValue } from '../../yaml/index.js';

/** `move-call-package-address`. */
export const readPackageAddress: ReadTransactionCondition = (value) => {
  const packages = readAddresses(value);
  return ofMoveCalls(({ packageId }) => packages === null || packages.has(packageId));
};

/** `move-call-function`: `<package>::<module>::<function>`, or a list; `*` stands for any part. */
export const readFunction: ReadTransactionCondition = (value) => {
  const matchers = value.list().map((one) => one.parse(readFunctionPattern));
  return ofMoveCalls((call) => matchers.some((matches) => matches(call)));
};

function ofMoveCalls(matches: MatchCall): Awaited<ReturnType<ReadTransactionCondition>> {
  return ({ transaction: { moveCalls } }, quantifier) =>
    quantifier === 'every'
      ? moveCalls.length > 0 && moveCalls.every(matches)
      : moveCalls.some(matches);
}

export type MatchCall = (call: Pick<MoveCall, 'packageId' | 'module' | 'function'>) => boolean;

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** `<package>::<module>::<function>`, with `*` for any part. Throws `Error` with the required format. */
export function readFunctionPattern(text: string): MatchCall {
  const [packageId = '', module, name, ...rest] = text.split('::');
  const isName = (part: string | undefined) => part === ANY || IDENTIFIER.test(part ?? '');
  if (rest.length > 0 || !isName(module) || !isName(name)) {
    throw new Error('must be <package>::<module>::<function>, or a list of these; * is any');
  }
  const address = packageId === ANY ? null : readAddress(packageId);
  return (call) =>
    (address === null || call.packageId === address) &&
    (module === ANY || call.module === module) &&
    (name === ANY || call.function === name);
}

/** `MoveCall`, `TransferObjects`, … or a list of these; `*` names every kind. Throws `InvalidFile`. */
export function readCommandKinds(value: YamlValue): ReadonlySet<CommandKind> {
  if (!value.isList && !value.isMap && value.text() === ANY) return new Set(commandKinds);
  return new Set(value.list().map((one) => one.parse(readCommandKind)));
}

/** Throws `Error` with the allowed kinds. */
export function readCommandKind(text: string): CommandKind {
  const kind = commandKinds.find((known) => known === text);
  if (!kind) throw new Error(`must be one of ${commandKinds.join(', ')}, or a list of these`);
  return kind;
}
