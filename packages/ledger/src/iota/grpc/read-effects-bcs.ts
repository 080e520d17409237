import type { TransactionEffects } from '../../transaction-effects.js';
import { describeExecutionStatus } from './describe-execution-status.js';
import { type EffectsBcs, parseEffects } from './effects-reader.js';
import { showOwner } from './object-bcs.js';

type ChangedObject = EffectsBcs['changedObjects'][number];

/** Digests that the ledger gives to objects without contents: 32 bytes of 99 for deleted, of 88 for wrapped ones. */
const DELETED = '7gyGAp71YXQRoxmFBaHxofQXAipvgHyBKPyxmdSJxyvz';
const WRAPPED = '6zYgiTvr1hAcHWqLsCBDQHH2S7oNxWLNVLb5qJYvVEnf';
const NO_ADDRESS = `0x${'0'.repeat(64)}`;

/**
 * The JSON in which nodes serve effects over JSON-RPC, from the BCS in which they serve them over gRPC (specification,
 * "Effects object"). Throws `Error` for bytes that are no effects.
 */
export function readEffectsBcs(bytes: Uint8Array): TransactionEffects {
  const effects = parseEffects(bytes);
  const { changedObjects, lamportVersion } = effects;
  const written = (states: (change: ChangedObject[1]) => boolean) =>
    changedObjects.flatMap((object) => (states(object[1]) ? [write(object, lamportVersion)] : []));
  const gone = (states: (change: ChangedObject[1]) => boolean, digest: string) =>
    changedObjects.flatMap(([objectId, change]) =>
      states(change) ? [{ objectId, version: Number(lamportVersion), digest }] : [],
    );
  return withoutEmpty({
    messageVersion: 'v1',
    status: describeExecutionStatus(effects.status),
    executedEpoch: effects.executedEpoch,
    gasUsed: effects.gasUsed,
    modifiedAtVersions: changedObjects.flatMap(([objectId, { inputState }]) =>
      inputState.Exist ? [{ objectId, sequenceNumber: inputState.Exist[0][0] }] : [],
    ),
    sharedObjects: sharedInputs(effects),
    transactionDigest: effects.transactionDigest,
    created: written((c) => !existed(c) && exists(c) && c.idOperation.$kind === 'Created'),
    mutated: written((c) => existed(c) && exists(c)),
    unwrapped: written((c) => !existed(c) && exists(c) && c.idOperation.$kind === 'None'),
    deleted: gone((c) => existed(c) && isDeleted(c), DELETED),
    unwrappedThenDeleted: gone((c) => !existed(c) && isDeleted(c), DELETED),
    wrapped: gone((c) => existed(c) && !exists(c) && c.idOperation.$kind === 'None', WRAPPED),
    gasObject: gasObject(effects),
    eventsDigest: effects.eventsDigest,
    dependencies: effects.dependencies,
  }) as unknown as TransactionEffects;
}

const existed = ({ inputState }: ChangedObject[1]) => inputState.$kind === 'Exist';
const exists = ({ outputState }: ChangedObject[1]) => outputState.$kind !== 'NotExist';
const isDeleted = (change: ChangedObject[1]) =>
  !exists(change) && change.idOperation.$kind === 'Deleted';

function write([objectId, { outputState }]: ChangedObject, lamportVersion: string) {
  if (outputState.PackageWrite) {
    const [version, digest] = outputState.PackageWrite;
    return { owner: 'Immutable', reference: { objectId, version: Number(version), digest } };
  }
  const [digest, owner] = outputState.ObjectWrite!;
  return {
    owner: showOwner(owner),
    reference: { objectId, version: Number(lamportVersion), digest },
  };
}

/** Shared inputs at the versions at which the transaction used them: the changed ones, then the others. */
function sharedInputs({ changedObjects, unchangedSharedObjects }: EffectsBcs) {
  const changed = changedObjects.flatMap(([objectId, { inputState }]) => {
    if (!inputState.Exist) return [];
    const [[version, digest], owner] = inputState.Exist;
    return owner.$kind === 'Shared' ? [{ objectId, version: Number(version), digest }] : [];
  });
  const unchanged = unchangedSharedObjects.flatMap(([objectId, kind]) => {
    if (kind.ReadOnlyRoot) {
      const [version, digest] = kind.ReadOnlyRoot;
      return [{ objectId, version: Number(version), digest }];
    }
    const version = kind.MutateDeleted ?? kind.ReadDeleted;
    return version === undefined ? [] : [{ objectId, version: Number(version), digest: DELETED }];
  });
  return [...changed, ...unchanged];
}

/** Transactions without gas, such as those that end epochs, name the zero address. */
function gasObject({ gasObjectIndex, changedObjects, lamportVersion }: EffectsBcs) {
  if (gasObjectIndex === null) {
    return {
      owner: { AddressOwner: NO_ADDRESS },
      reference: { objectId: NO_ADDRESS, version: 0, digest: NO_DIGEST },
    };
  }
  return write(changedObjects[gasObjectIndex]!, lamportVersion);
}

const NO_DIGEST = '1'.repeat(32);

/** Nodes leave out empty lists, except of dependencies, and an absent digest of events. */
function withoutEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  const isShown = ([name, value]: [string, unknown]) =>
    value !== null && (!Array.isArray(value) || value.length > 0 || name === 'dependencies');
  return Object.fromEntries(Object.entries(fields).filter(isShown));
}
