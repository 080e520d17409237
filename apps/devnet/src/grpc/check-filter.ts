import type {
  CommandFilter,
  EventFilter,
  TransactionFilter,
} from '@forecourt/ledger/node-messages';
import { parseStructTag } from '@iota/iota-sdk/utils';
import { GrpcCode } from './grpc-codes.js';
import { failure } from './grpc-status.js';
import { wrongStructType } from './struct-type.js';

const MOST_DEPTH = 10;
const MOST_NODES = 1_000;
const ID_BYTES = 32;

/** Throws `GrpcFailure` for a filter that nodes do not take. */
export function checkTransactionFilter(filter: TransactionFilter): void {
  const fault = faultOfTransactions(filter);
  if (fault !== null) throw refused(`invalid transaction filter: ${fault}`);
  checkComplexity('Transaction', filter);
}

/** The same for events. */
export function checkEventFilter(filter: EventFilter): void {
  const fault = faultOfEvents(filter);
  if (fault !== null) throw refused(`invalid event filter: ${fault}`);
  checkComplexity('Event', filter);
}

function refused(text: string) {
  return failure(GrpcCode.invalidArgument, text);
}

type Fault = string | null;

function first(faults: readonly Fault[]): Fault {
  return faults.find((fault) => fault !== null) ?? null;
}

function faultOfTransactions({ filter }: TransactionFilter): Fault {
  switch (filter.case) {
    case undefined:
      return 'transaction filter is missing';
    case 'all':
    case 'any':
      return first(filter.value.filters.map(faultOfTransactions));
    case 'negation':
      if (!filter.value.filter) return 'negation filter is missing';
      return faultOfTransactions(filter.value.filter);
    case 'sender':
    case 'receiver':
      return faultOfId(`${filter.case} address`, filter.value.address?.address);
    case 'affectedObject':
      if (!filter.value.objectRef) return 'object_ref is missing';
      return faultOfId('object_id', filter.value.objectRef.objectId?.objectId);
    case 'command':
      return faultOfCommands(filter.value);
    case 'event':
      return faultOfEvents(filter.value);
    case 'transactionKinds':
    case 'executionStatus':
      return null;
  }
}

function faultOfCommands({ filter }: CommandFilter): Fault {
  switch (filter.case) {
    case undefined:
      return 'command filter is missing';
    case 'moveCall':
      return faultOfId('package_id', filter.value.packageId?.objectId);
    case 'upgrade': {
      const { packageId } = filter.value;
      return packageId ? faultOfId('package_id', packageId.objectId) : null;
    }
    default:
      return null;
  }
}

function faultOfEvents({ filter }: EventFilter): Fault {
  switch (filter.case) {
    case undefined:
      return 'event filter is missing';
    case 'all':
    case 'any':
      return first(filter.value.filters.map(faultOfEvents));
    case 'negation':
      if (!filter.value.filter) return 'negation filter is missing';
      return faultOfEvents(filter.value.filter);
    case 'sender':
      return faultOfId('sender address', filter.value.address?.address);
    case 'movePackageAndModule':
    case 'moveEventPackageAndModule':
      return faultOfId('package_id', filter.value.packageId?.objectId);
    case 'moveEventType':
      return faultOfType(filter.value.structTag);
  }
}

function faultOfId(name: string, bytes: Uint8Array | undefined): Fault {
  if (bytes === undefined) return `${name} is missing`;
  return bytes.length === ID_BYTES ? null : `invalid ${name}: expected ${ID_BYTES} bytes`;
}

function faultOfType(text: string): Fault {
  try {
    parseStructTag(text);
    return null;
  } catch {
    return `invalid struct tag: ${wrongStructType(text)}`;
  }
}

/** A filter of either kind, by its shape. */
interface AnyFilter {
  readonly filter: { readonly case?: string | undefined; readonly value?: unknown };
}

function checkComplexity(kind: 'Transaction' | 'Event', filter: AnyFilter): void {
  const nodes = countNodes(filter);
  if (nodes > MOST_NODES) {
    throw refused(
      `${kind} filter complexity exceeds maximum allowed nodes: ${nodes} > ${MOST_NODES}`,
    );
  }
  if (depthOf(filter) > MOST_DEPTH) {
    throw refused(`${kind} filter depth exceeds maximum allowed depth of ${MOST_DEPTH}`);
  }
}

/** The filters within one that combines others. */
function partsOf({ filter }: AnyFilter): readonly AnyFilter[] {
  if (filter.case === 'all' || filter.case === 'any') {
    return (filter.value as { filters: AnyFilter[] }).filters;
  }
  return filter.case === 'negation' ? [(filter.value as { filter: AnyFilter }).filter] : [];
}

function countNodes(filter: AnyFilter): number {
  return partsOf(filter).reduce((sum, part) => sum + countNodes(part), 1);
}

function depthOf(filter: AnyFilter): number {
  return partsOf(filter).reduce((most, part) => Math.max(most, 1 + depthOf(part)), 0);
}
