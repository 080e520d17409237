import type { IotaObjectResponse } from '@iota/iota-sdk/client';
import type { DecodedTransaction } from '../../decoded-transaction.js';
import type { ObjectReference } from '../../object-reference.js';
import {
  type Judgement,
  judgeOwned,
  judgePackage,
  judgeReceived,
  judgeShared,
  sharedSince,
} from './judge-objects.js';
import type { KnownObjects } from './known-objects.js';

/** An object that a transaction names and that must be looked up. */
export interface Subject {
  readonly objectId: string;
  /** The version that the transaction can use; null: any version. */
  readonly reference: ObjectReference | null;
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
    isReceived: false,
    judge: (response) => judgeOwned(reference, response, sender),
  }));
  const received = receivedInputs.map((reference): Subject => ({
    objectId: reference.objectId,
    reference,
    isReceived: true,
    judge: (response) => judgeReceived(reference, response, parents),
  }));
  const shared = sharedInputs
    .filter(({ objectId }) => known.sharedSince(objectId, epoch) === null)
    .map((input): Subject => ({
      objectId: input.objectId,
      reference: null,
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
      isReceived: false,
      judge: (response) => {
        const judgement = judgePackage(objectId, response);
        if (judgement.kind === 'fit') known.addPackage(objectId);
        return judgement;
      },
    }));
  return [...owned, ...received, ...shared, ...unknownPackages];
}
