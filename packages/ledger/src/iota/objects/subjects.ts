import type { IotaObjectResponse } from '@iota/iota-sdk/client';
import type { ObjectReference } from '../../object-reference.js';
import type { DecodedTransaction } from '../../decoded-transaction.js';
import {
  type Judgement,
  judgeOwned,
  judgePackage,
  judgeReceived,
  judgeShared,
  sharedSince,
} from './judge-objects.js';

/** An object that a transaction names and that must be looked up. */
export interface Subject {
  readonly objectId: string;
  /** The version that the transaction can use; null: any version. */
  readonly reference: ObjectReference | null;
  /** A version at which the ledger had it, if it ever had it; null: none is known. */
  readonly version: number | null;
  readonly isReceived: boolean;
  /** Interprets the node's answer, and remembers the facts that stay valid. */
  readonly judge: (response: IotaObjectResponse) => Judgement;
}

/** Owned inputs come first: they are the most frequent cause of a refusal. */
export function listSubjects(
  { ownedInputs, receivedInputs, sharedInputs, packages, sender }: DecodedTransaction,
  known: KnownObjects,
  epoch: bigint,
): Subject[] {
  const inputs = [...ownedInputs, ...receivedInputs, ...sharedInputs];
  const parents = new Set(inputs.map(({ objectId }) => objectId));
  const owned = ownedInputs.map((reference): Subject => ({
    objectId: reference.objectId,
    reference,
    version: reference.version,
    isReceived: false,
    judge: (response) => judgeOwned(reference, response, sender),
  }));
  const received = receivedInputs.map((reference): Subject => ({
    objectId: reference.objectId,
    reference,
    version: reference.version,
    isReceived: true,
    judge: (response) => judgeReceived(reference, response, parents),
  }));
  const shared = sharedInputs
    .filter(({ objectId }) => known.sharedSince(objectId, epoch) === null)
    .map((input): Subject => ({
      objectId: input.objectId,
      reference: null,
      version: input.initialSharedVersion,
      isReceived: false,
      judge: (response) => {
        const since = sharedSince(response.data?.owner);
        if (since !== null) known.addShared(input.objectId, since, epoch);
        return judgeShared(input, response);
      },
    }));
  const unknownPackages = packages
    .filter((objectId) => !known.isPackage(objectId))
    .map((objectId): Subject => ({
      objectId,
      reference: null,
      version: null,
      isReceived: false,
      judge: (response) => {
        const judgement = judgePackage(objectId, response);
        if (judgement.kind === 'fit') known.addPackage(objectId);
        return judgement;
      },
    }));
  return [...owned, ...received, ...shared, ...unknownPackages];
}

const MAX_KNOWN = 10_000;

/**
 * Packages and shared objects that were seen on the ledger; the oldest are dropped. A package never
 * changes and is never deleted. A shared object may be deleted, and validators remember that only
 * until the epoch ends, so it is known only in the epoch in which it was seen.
 */
export class KnownObjects {
  readonly #packages = new Map<string, true>();
  readonly #shared = new Map<string, { readonly since: number; readonly epoch: bigint }>();

  isPackage(id: string): boolean {
    return this.#packages.has(id);
  }

  addPackage(id: string): void {
    put(this.#packages, id, true);
  }

  /** The version at which the object became shared; null when it is not known to be shared. */
  sharedSince(id: string, epoch: bigint): number | null {
    const known = this.#shared.get(id);
    return known?.epoch === epoch ? known.since : null;
  }

  addShared(id: string, since: number, epoch: bigint): void {
    put(this.#shared, id, { since, epoch });
  }
}

function put<T>(map: Map<string, T>, id: string, value: T): void {
  map.delete(id);
  map.set(id, value);
  if (map.size > MAX_KNOWN) map.delete(map.keys().next().value!);
}
