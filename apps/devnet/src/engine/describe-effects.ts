import type {
  BalanceChange,
  ObjectChange,
  Owner,
  EffectsRecord,
  EventRecord,
  ExecutionStatus,
  GasCostSummary,
  ObjectReference,
  OwnedReference,
} from './engine-interface.js';
import type { ObjectWrite, ExecutionRequest } from './execution-types.js';
import { type StoredObject, DELETED_DIGEST } from './stored-object.js';
import { digestOfText } from './hash.js';

/** `objectChanges` as a node shows them: what was mutated, created and deleted, each by id. */
export function describeObjectChanges(
  sender: string,
  changes: readonly ObjectWrite[],
  lamportVersion: number,
): ObjectChange[] {
  const listed = [
    ...changes.filter(({ before, after }) => before && after),
    ...changes.filter(({ before }) => !before),
    ...changes.filter(({ after }) => !after),
  ];
  return listed.map(({ before, after }): ObjectChange => {
    if (!after) {
      const { objectId, type } = before!;
      return { type: 'deleted', sender, objectType: type, objectId, version: lamportVersion };
    }
    const { owner, type: objectType, objectId, version, digest } = after;
    if (objectType === 'package') {
      const modules = after.modules.map(({ name }) => name);
      return { type: 'published', packageId: objectId, version, digest, modules };
    }
    const change = { sender, owner, objectType, objectId, version, digest };
    return before
      ? { type: 'mutated', ...change, previousVersion: before.version }
      : { type: 'created', ...change };
  });
}

/** Balance changes per owner and coin type, without zero changes; in the order of both. */
export function describeBalanceChanges(changes: readonly ObjectWrite[]): BalanceChange[] {
  const sums = new Map<string, { owner: Owner; coinType: string; amount: bigint }>();
  const add = (object: StoredObject | null, sign: bigint) => {
    if (!object?.coin) return;
    const { coinType, balance } = object.coin;
    const key = `${ownerOrder(object.owner)}|${coinType}`;
    const sum = sums.get(key) ?? { owner: object.owner, coinType, amount: 0n };
    sum.amount += sign * balance;
    sums.set(key, sum);
  };
  for (const { before, after } of changes) {
    add(before, -1n);
    add(after, 1n);
  }
  return [...sums]
    .filter(([, { amount }]) => amount !== 0n)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, sum]) => sum);
}

/** Addresses come before objects, and both before what has no owner. */
function ownerOrder(owner: Owner): string {
  if (owner === 'Immutable') return '3';
  if ('AddressOwner' in owner) return `0${owner.AddressOwner}`;
  if ('ObjectOwner' in owner) return `1${owner.ObjectOwner}`;
  return `2${owner.Shared.initial_shared_version}`;
}

interface Outcome {
  readonly request: ExecutionRequest;
  readonly status: ExecutionStatus;
  readonly gasUsed: GasCostSummary;
  readonly lamportVersion: number;
  readonly changes: readonly ObjectWrite[];
  readonly events: readonly EventRecord[];
  readonly gasId: string;
}

/** The effects of an execution; lists are sorted by id. */
export function describeEffects(outcome: Outcome): EffectsRecord {
  const { request, changes, lamportVersion } = outcome;
  const created: OwnedReference[] = [];
  const mutated: OwnedReference[] = [];
  const deleted: ObjectReference[] = [];
  const modifiedAtVersions: { objectId: string; version: number }[] = [];
  let gasObject: OwnedReference | undefined;
  for (const { before, after } of changes) {
    if (before) modifiedAtVersions.push({ objectId: before.objectId, version: before.version });
    if (!after) {
      deleted.push({
        objectId: before!.objectId,
        version: lamportVersion,
        digest: DELETED_DIGEST,
      });
      continue;
    }
    const written = { owner: after.owner, reference: after.reference };
    (before ? mutated : created).push(written);
    if (after.objectId === outcome.gasId) gasObject = written;
  }
  return {
    status: outcome.status,
    executedEpoch: request.epoch,
    gasUsed: outcome.gasUsed,
    modifiedAtVersions,
    sharedObjects: sharedObjects(outcome),
    transactionDigest: request.digest,
    created,
    mutated,
    unwrapped: [],
    deleted,
    unwrappedThenDeleted: [],
    wrapped: [],
    gasObject: gasObject!,
    eventsDigest: digestEvents(outcome.events),
    dependencies: dependenciesOf(request),
    lamportVersion,
    digest: digestEffects(outcome),
  };
}

/** As effects list them: the changed ones by id, then those that were only read. */
function sharedObjects({ request, changes }: Outcome): ObjectReference[] {
  const inputs = request.inputs.shared.map(({ object }) => object.reference);
  const order = new Map(changes.map(({ before }, index) => [before?.objectId, index]));
  const place = ({ objectId }: ObjectReference) => order.get(objectId) ?? changes.length;
  return inputs.sort((a, b) => place(a) - place(b));
}

function digestEvents(events: readonly EventRecord[]): string | null {
  if (events.length === 0) return null;
  const text = events.map(({ type, bcs }) => `${type}|${Buffer.from(bcs).toString('hex')}`);
  return digestOfText('TransactionEvents', text.join('\n'));
}

function digestEffects({ request, status, gasUsed, changes }: Outcome): string {
  const text = [
    request.digest,
    request.epoch,
    'error' in status ? status.error : '',
    Object.values(gasUsed).join('|'),
    ...changes.map(({ before, after }) => after?.digest ?? before?.objectId),
  ];
  return digestOfText('TransactionEffects', text.join('\n'));
}

/** The transactions that wrote the inputs, without duplicates. */
function dependenciesOf({ inputs }: ExecutionRequest): string[] {
  const objects: StoredObject[] = [
    ...inputs.owned,
    ...inputs.shared.map(({ object }) => object),
    ...inputs.immutable,
    ...inputs.gas,
    ...inputs.packages,
  ];
  return [...new Set(objects.map(({ previousTransaction }) => previousTransaction))]
    .filter((digest) => digest !== '')
    .sort();
}

/**
 * Effects as a node's JSON shows them: totals and `executedEpoch` are strings, versions in references
 * are numbers, empty lists and an absent `eventsDigest` are left out.
 */
export function renderEffects(effects: EffectsRecord): object {
  const { status, gasUsed } = effects;
  return {
    messageVersion: 'v1',
    status:
      status.status === 'success'
        ? { status: 'success' }
        : { status: 'failure', error: status.error },
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

/** The error of a failure, with devnet's alternative behind the node's words. */
export function explainFailure({ error, hint }: Extract<ExecutionStatus, { status: 'failure' }>) {
  return hint === undefined ? error : `${error}. ${hint}`;
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
