import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import { invalidParams, type JsonRpcError } from '@forecourt/contracts';
import type { ExecutedTransaction, Owner } from '../../engine/engine-interface.js';
import {
  optional,
  readAddress,
  readInteger,
  readObject,
  readText,
} from '../../json-rpc/read-params.js';

export type TransactionPredicate = (transaction: ExecutedTransaction) => boolean;

export const TRANSACTION_FILTERS = [
  'Checkpoint',
  'MoveFunction',
  'InputObject',
  'ChangedObject',
  'WrappedOrDeletedObject',
  'FromAddress',
  'ToAddress',
  'FromAndToAddress',
  'FromOrToAddress',
  'TransactionKind',
  'TransactionKindIn',
] as const;

/**
 * Reads a transaction filter: exactly one key of the kinds a node knows. Throws -32602 otherwise, and for a
 * valid filter that is among `unsupported`.
 */
export function readTransactionFilter(
  value: unknown,
  unsupported: readonly string[],
): TransactionPredicate {
  const predicate = readPredicate(value);
  const [[kind, argument]] = Object.entries(value as object) as [[string, unknown]];
  if (unsupported.includes(kind)) throw unsupportedFilter(kind, argument);
  return predicate;
}

function readPredicate(value: unknown): TransactionPredicate {
  const filter = readObject(value, 'filter');
  const keys = Object.keys(filter);
  const [kind = ''] = keys;
  if (keys.length !== 1) throw invalidParams('Invalid params: filter: expected exactly one key');
  const argument = filter[kind];
  const name = `filter.${kind}`;
  switch (kind) {
    case 'Checkpoint': {
      const sequence = readInteger(argument, name);
      return ({ checkpoint }) => checkpoint !== null && BigInt(checkpoint) === sequence;
    }
    case 'MoveFunction':
      return readFunction(readObject(argument, name));
    case 'InputObject': {
      const id = readAddress(argument, name);
      return (transaction) => inputIds(transaction).includes(id);
    }
    case 'ChangedObject': {
      const id = readAddress(argument, name);
      return ({ effects }) =>
        [...effects.created, ...effects.mutated, ...effects.unwrapped].some(
          ({ reference }) => reference.objectId === id,
        );
    }
    case 'WrappedOrDeletedObject': {
      const id = readAddress(argument, name);
      return ({ effects }) =>
        [...effects.deleted, ...effects.wrapped, ...effects.unwrappedThenDeleted].some(
          ({ objectId }) => objectId === id,
        );
    }
    case 'FromAddress': {
      const from = readAddress(argument, name);
      return ({ data }) => data.sender === from;
    }
    case 'ToAddress': {
      const to = readAddress(argument, name);
      return (transaction) => recipients(transaction).has(to);
    }
    case 'FromAndToAddress': {
      const pair = readObject(argument, name);
      const from = readAddress(pair['from'], `${name}.from`);
      const to = readAddress(pair['to'], `${name}.to`);
      return (transaction) => transaction.data.sender === from && recipients(transaction).has(to);
    }
    case 'FromOrToAddress': {
      const address = readAddress(readObject(argument, name)['addr'], `${name}.addr`);
      return (transaction) =>
        transaction.data.sender === address || recipients(transaction).has(address);
    }
    case 'TransactionKind':
      return ofKinds([readText(argument, name)]);
    case 'TransactionKindIn':
      return ofKinds(Array.isArray(argument) ? argument.map((one) => readText(one, name)) : []);
    default:
      throw invalidParams(`Invalid params: filter: unknown filter ${kind}`);
  }
}

function readFunction(argument: Readonly<Record<string, unknown>>): TransactionPredicate {
  const packageId = readAddress(argument['package'], 'filter.MoveFunction.package');
  const module = optional(argument['module'], 'filter.MoveFunction.module', readText);
  const fn = optional(argument['function'], 'filter.MoveFunction.function', readText);
  return ({ data }) =>
    (data.kind.ProgrammableTransaction?.commands ?? []).some(
      ({ MoveCall: call }) =>
        call &&
        normalizeIotaAddress(call.package) === packageId &&
        (module === null || call.module === module) &&
        (fn === null || call.function === fn),
    );
}

function inputIds({ data }: ExecutedTransaction): string[] {
  const inputs = data.kind.ProgrammableTransaction?.inputs ?? [];
  const ids = inputs.map(({ Object: object }) => {
    return (object?.ImmOrOwnedObject ?? object?.SharedObject ?? object?.Receiving)?.objectId;
  });
  const gas = data.gasData.payment.map(({ objectId }) => objectId);
  return [...ids, ...gas].filter((id) => id !== undefined);
}

function recipients({ effects }: ExecutedTransaction): Set<string> {
  const owners = [...effects.created, ...effects.mutated, ...effects.unwrapped];
  return new Set(owners.map(({ owner }) => addressOf(owner)).filter((one) => one !== null));
}

function addressOf(owner: Owner): string | null {
  return typeof owner === 'object' && 'AddressOwner' in owner ? owner.AddressOwner : null;
}

function ofKinds(kinds: readonly string[]): TransactionPredicate {
  const kindSet = new Set(kinds);
  return ({ data }) => {
    const isProgrammable = data.kind.$kind === 'ProgrammableTransaction';
    return kindSet.has(data.kind.$kind) || (!isProgrammable && kindSet.has('SystemTransaction'));
  };
}

/** A full node's answer to a filter without an index: the filter in Rust's `Debug` form, wrapped twice. */
function unsupportedFilter(kind: string, argument: unknown): JsonRpcError {
  const debug = `Some(${kind}${debugForm(argument)})`;
  return invalidParams(
    `Error checking transaction input objects: Unsupported(${JSON.stringify(debug)})`,
  );
}

function debugForm(argument: unknown): string {
  if (Array.isArray(argument)) return `([${argument.map((one) => value(one)).join(', ')}])`;
  if (typeof argument !== 'object' || argument === null) return `(${value(argument)})`;
  const fields = Object.entries(argument).map(([name, one]) => `${name}: ${value(one)}`);
  return ` { ${fields.join(', ')} }`;
}

function value(one: unknown): string {
  if (typeof one !== 'string') return String(one);
  return one.startsWith('0x') ? normalizeIotaAddress(one) : JSON.stringify(one);
}
