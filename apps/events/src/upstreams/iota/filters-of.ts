import { canonicalAddress, type EventCriterion } from '@forecourt/contracts';
import type { TransactionFilter } from './supported-filters.js';

const NATIVE_PACKAGE = canonicalAddress('0x2');

/**
 * The filters of `iotax_queryTransactionBlocks` that find a criterion's transactions; empty if that method is not used.
 */
export function filtersOf(criterion: EventCriterion): readonly TransactionFilter[] {
  switch (criterion.key) {
    case 'MoveModule': {
      const { packageId, module } = criterion;
      // Objects that no Move call made are attributed to it, and are not in the index of calls.
      if (packageId === NATIVE_PACKAGE && module === 'native') return [];
      return [{ MoveFunction: { package: packageId, module } }];
    }
    case 'Sender':
      return [{ FromAddress: criterion.address }];
    case 'Recipient': {
      const { owner } = criterion;
      const isAddress = typeof owner === 'object' && 'AddressOwner' in owner;
      return isAddress ? [{ ToAddress: owner.AddressOwner }] : [];
    }
    case 'Object':
      // The index of changed objects omits deleted ones, which were inputs.
      return [{ ChangedObject: criterion.objectId }, { InputObject: criterion.objectId }];
    default:
      return [];
  }
}
