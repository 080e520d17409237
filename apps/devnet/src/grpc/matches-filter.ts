import {
  type CommandFilter,
  type EventFilter,
  type MovePackageAndModuleFilter,
  type TransactionFilter,
  TransactionKind,
} from '@forecourt/ledger/node-messages';
import { normalizeStructTag, parseStructTag } from '@iota/iota-sdk/utils';
import type { EventRecord, ExecutedTransaction, Owner } from '../engine/engine-interface.js';
import { fullId, toHexId } from '../engine/hash.js';

/** Whether a filter of nodes lets an event through. */
export function matchesEvent({ filter }: EventFilter, event: EventRecord): boolean {
  switch (filter.case) {
    case 'all':
      return filter.value.filters.every((one) => matchesEvent(one, event));
    case 'any':
      return filter.value.filters.some((one) => matchesEvent(one, event));
    case 'negation':
      return !filter.value.filter || !matchesEvent(filter.value.filter, event);
    case 'sender':
      return fullId(event.sender) === hexOf(filter.value.address?.address);
    case 'movePackageAndModule':
      return isIn(filter.value, event.packageId, event.transactionModule);
    case 'moveEventPackageAndModule': {
      const { address, module } = parseStructTag(event.type);
      return isIn(filter.value, address, module);
    }
    case 'moveEventType':
      return isOfType(filter.value.structTag, event.type);
    default:
      return false;
  }
}

/** The same for a transaction. */
export function matchesTransaction(
  { filter }: TransactionFilter,
  transaction: ExecutedTransaction,
): boolean {
  const { data, effects, events } = transaction;
  switch (filter.case) {
    case 'all':
      return filter.value.filters.every((one) => matchesTransaction(one, transaction));
    case 'any':
      return filter.value.filters.some((one) => matchesTransaction(one, transaction));
    case 'negation':
      return !filter.value.filter || !matchesTransaction(filter.value.filter, transaction);
    case 'transactionKinds':
      return filter.value.kinds.some((kind) => KINDS[kind](data.kind.$kind));
    case 'executionStatus':
      return filter.value.success === (effects.status.status === 'success');
    case 'sender':
      return fullId(data.sender) === hexOf(filter.value.address?.address);
    case 'receiver': {
      const address = hexOf(filter.value.address?.address);
      const written = [...effects.mutated, ...effects.unwrapped];
      return written.some(({ owner }) => isOwnedBy(owner, address));
    }
    case 'affectedObject': {
      const id = hexOf(filter.value.objectRef?.objectId?.objectId);
      return affectedIds(transaction).includes(id);
    }
    case 'command':
      return (data.kind.ProgrammableTransaction?.commands ?? []).some((command) =>
        matchesCommand(filter.value, command),
      );
    case 'event':
      return events.some((event) => matchesEvent(filter.value, event));
    default:
      return false;
  }
}

const KINDS: Readonly<Record<TransactionKind, (kind: string) => boolean>> = {
  [TransactionKind.SYSTEM]: (kind) => kind !== 'ProgrammableTransaction',
  [TransactionKind.PROGRAMMABLE]: (kind) => kind === 'ProgrammableTransaction',
  [TransactionKind.GENESIS]: (kind) => kind === 'Genesis',
  [TransactionKind.CONSENSUS_COMMIT_PROLOGUE_V1]: (kind) => kind === 'ConsensusCommitPrologue',
  [TransactionKind.END_OF_EPOCH]: (kind) => kind === 'ChangeEpoch',
  [TransactionKind.RANDOMNESS_STATE_UPDATE]: () => false,
};

type Command = NonNullable<
  ExecutedTransaction['data']['kind']['ProgrammableTransaction']
>['commands'][number];

function matchesCommand({ filter }: CommandFilter, command: Command): boolean {
  switch (filter.case) {
    case 'moveCall': {
      const { packageId, module, function: name } = filter.value;
      const call = command.MoveCall;
      return (
        call !== undefined &&
        fullId(call.package) === hexOf(packageId?.objectId) &&
        (module ?? call.module) === call.module &&
        (name ?? call.function) === call.function
      );
    }
    case 'upgrade': {
      const { packageId } = filter.value;
      const upgraded = command.Upgrade?.package;
      if (upgraded === undefined) return false;
      return !packageId || fullId(upgraded) === hexOf(packageId.objectId);
    }
    case undefined:
      return false;
    default:
      return command.$kind === COMMANDS[filter.case];
  }
}

const COMMANDS = {
  transferObjects: 'TransferObjects',
  splitCoins: 'SplitCoins',
  mergeCoins: 'MergeCoins',
  publish: 'Publish',
  makeMoveVec: 'MakeMoveVec',
} as const;

function isIn(
  { packageId, module: moduleName }: MovePackageAndModuleFilter,
  address: string,
  module: string,
): boolean {
  return fullId(address) === hexOf(packageId?.objectId) && (moduleName ?? module) === module;
}

function isOfType(filterType: string, type: string): boolean {
  return normalizeStructTag(type) === normalizeStructTag(filterType);
}

function isOwnedBy(owner: Owner, address: string): boolean {
  return typeof owner === 'object' && 'AddressOwner' in owner && owner.AddressOwner === address;
}

function affectedIds({ effects }: ExecutedTransaction): string[] {
  const written = [...effects.created, ...effects.mutated, ...effects.unwrapped];
  const removals = [...effects.deleted, ...effects.wrapped, ...effects.unwrappedThenDeleted];
  return [
    ...written.map(({ reference }) => reference.objectId),
    ...removals.map(({ objectId }) => objectId),
    ...effects.sharedObjects.map(({ objectId }) => objectId),
  ];
}

const hexOf = (bytes: Uint8Array | undefined) => toHexId(bytes ?? new Uint8Array(0));
