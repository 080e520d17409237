import { canonicalAddress, type EventCriterion } from '@forecourt/contracts';
import type { CallNode } from '../call-node.js';
import { CriterionUnanswerable, isUnsupported, NodeRefused } from '../upstream-errors.js';

const NATIVE_PACKAGE = canonicalAddress('0x2');

/**
 * The filters of `iotax_queryTransactionBlocks` that find a criterion's transactions; empty if that method is not used.
 */
export function filtersOf(criterion: EventCriterion): readonly TransactionFilter[] {
  switch (criterion.key) {
    case 'MoveModule': {
      const { package: packageId, module } = criterion.value;
      // Objects that no Move call made are attributed to it, and are not in the index of calls.
      if (packageId === NATIVE_PACKAGE && module === 'native') return [];
      return [{ MoveFunction: { package: packageId, module } }];
    }
    case 'Sender':
      return [{ FromAddress: criterion.value }];
    case 'Recipient': {
      const { value: owner } = criterion;
      const isAddress = typeof owner === 'object' && 'AddressOwner' in owner;
      return isAddress ? [{ ToAddress: owner.AddressOwner }] : [];
    }
    case 'Object':
      // The index of changed objects omits deleted ones, which were inputs.
      return [{ ChangedObject: criterion.value }, { InputObject: criterion.value }];
    default:
      return [];
  }
}

/** How long a refusal counts: the node may get the index, or be replaced by one that has it. */
const UNSUPPORTED_FRESH_MS = 60_000;

/** Name of a filter → whether the node answers it, shared by all sessions. */
export type KnownFilters = Map<string, { readonly isSupported: boolean; readonly at: number }>;

/** A filter of `iotax_queryTransactionBlocks`, with one key. */
export type TransactionFilter = Readonly<Record<string, unknown>>;

/**
 * Throws `CriterionUnanswerable` if the node has no index for one of the filters. Each filter is tested once, with a
 * page of one transaction.
 */
export async function requireFilters(
  { call, filters: known }: { readonly call: CallNode; readonly filters: KnownFilters },
  criterion: string,
  filters: readonly TransactionFilter[],
): Promise<void> {
  const unsupported: string[] = [];
  for (const filter of filters) {
    const name = nameOf(filter);
    let entry = known.get(name);
    if (!entry || (!entry.isSupported && performance.now() - entry.at > UNSUPPORTED_FRESH_MS)) {
      entry = { isSupported: await isSupported(call, filter), at: performance.now() };
      known.set(name, entry);
    }
    if (!entry.isSupported) unsupported.push(name);
  }
  if (unsupported.length > 0) throw withoutIndex(criterion, unsupported);
}

const nameOf = (filter: TransactionFilter): string => Object.keys(filter)[0]!;

async function isSupported(call: CallNode, filter: TransactionFilter): Promise<boolean> {
  try {
    await call('iotax_queryTransactionBlocks', [{ filter }, null, 1, true]);
    return true;
  } catch (error) {
    if (isUnsupported(error)) return false;
    // The query itself handles other refusals.
    if (error instanceof NodeRefused) return true;
    throw error;
  }
}

function withoutIndex(criterion: string, unsupported: readonly string[]): CriterionUnanswerable {
  return new CriterionUnanswerable(
    `Query cannot be answered: the ledger node has no index for the criterion ${criterion} (its iotax_queryTransactionBlocks does not support ${unsupported.join(' and ')}); query by Sender, MoveEvent or TimeRange, add a node that has the index to EVENTS_UPSTREAMS, or set EVENTS_DATABASE_URL to keep an index of all events`,
    { criterion, unsupported },
  );
}
