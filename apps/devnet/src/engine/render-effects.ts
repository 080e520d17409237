import type { EffectsRecord, ObjectReference, OwnedReference } from './engine-interface.js';

/**
 * Effects as a node's JSON shows them: totals and `executedEpoch` are strings, versions in references
 * are numbers, empty lists and an absent `eventsDigest` are left out.
 */
export function renderEffects(effects: EffectsRecord): object {
  const { status, gasUsed } = effects;
  return {
    messageVersion: 'v1',
    status: { ...status },
    executedEpoch: String(effects.executedEpoch),
    gasUsed: {
      computationCost: String(gasUsed.computationCost),
      computationCostBurned: String(gasUsed.computationCostBurned),
      storageCost: String(gasUsed.storageCost),
      storageRebate: String(gasUsed.storageRebate),
      nonRefundableStorageFee: String(gasUsed.nonRefundableStorageFee),
    },
    ...list(
      'modifiedAtVersions',
      effects.modifiedAtVersions.map(({ objectId, version }) => ({
        objectId,
        sequenceNumber: String(version),
      })),
    ),
    ...list('sharedObjects', effects.sharedObjects.map(renderReference)),
    transactionDigest: effects.transactionDigest,
    ...list('created', effects.created.map(renderOwned)),
    ...list('mutated', effects.mutated.map(renderOwned)),
    ...list('unwrapped', effects.unwrapped.map(renderOwned)),
    ...list('deleted', effects.deleted.map(renderReference)),
    ...list('unwrappedThenDeleted', effects.unwrappedThenDeleted.map(renderReference)),
    ...list('wrapped', effects.wrapped.map(renderReference)),
    gasObject: renderOwned(effects.gasObject),
    ...(effects.eventsDigest !== null && { eventsDigest: effects.eventsDigest }),
    ...list('dependencies', [...effects.dependencies]),
  };
}

function list(name: string, values: readonly unknown[]): object {
  return values.length > 0 ? { [name]: values } : {};
}

function renderReference({ objectId, version, digest }: ObjectReference): object {
  return { objectId, version, digest };
}

function renderOwned({ owner, reference }: OwnedReference): object {
  return { owner, reference: renderReference(reference) };
}
