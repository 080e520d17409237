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
  const owned = ownedInputs.map((reference) =>
    subjectOf(reference, false, (response) => judgeOwned(reference, response, sender)),
  );
  const received = receivedInputs.map((reference) =>
    subjectOf(reference, true, (response) => judgeReceived(reference, response, parents)),
  );
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

function subjectOf(
  reference: ObjectReference,
  isReceived: boolean,
  judge: Subject['judge'],
): Subject {
  const { objectId, version } = reference;
  return { objectId, reference, version, isReceived, judge };
}
