import type {
  EffectsRecord,
  EventRecord,
  ExecutionStatus,
  GasCostSummary,
  ObjectReference,
  OwnedReference,
} from './engine-interface.js';
import type { ExecutionRequest, ObjectWrite } from './execution-types.js';
import { digestOfText } from './hash.js';
import { DELETED_DIGEST, type StoredObject } from './stored-object.js';

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
    sharedObjects: request.inputs.shared.map(({ object }) => object.reference),
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
