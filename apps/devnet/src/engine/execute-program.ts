import type { ExecutionStatus, GasCostSummary } from './engine-interface.js';
import type { RuntimeObject } from './execution-values.js';
import { ExecutionFailed } from './execution-failed.js';
import type { ExecutionOutcome, ExecutionRequest, ObjectWrite } from './execution-types.js';
import { ExecutionSession, type NewPackage } from './execution-session.js';
import { GasMeter, INSUFFICIENT_GAS } from './gas-meter.js';
import { sizeForGas, storageCost, UNITS_PER_AUTHENTICATOR } from './gas-schedule.js';
import type { ResolvedInputs } from './check-inputs.js';
import { runProgram } from './run-command.js';
import { StoredObject } from './stored-object.js';
import { describeEffects } from './describe-effects.js';

/**
 * Runs a checked program: smashes and charges gas; a failure has no other effect. Where even the storage of
 * the inputs costs more than is left of the budget, the whole budget pays for computation and nothing for
 * storage, as on a node.
 */
export function executeProgram(request: ExecutionRequest): ExecutionOutcome {
  const meter = new GasMeter(request.price, request.budget);
  const attempt = begin(request, meter);
  let status = run(request, attempt, meter);
  if (status.status === 'success') {
    const executed = finish(request, attempt, meter.cost, status);
    if (executed) return executed;
    status = { status: 'failure', error: INSUFFICIENT_GAS };
  }
  return (
    finish(request, begin(request, meter), meter.cost, status) ??
    finish(request, begin(request, meter), request.budget, status, { paysStorage: false })!
  );
}

/** Runs the commands and charges their computation. */
function run(request: ExecutionRequest, attempt: Attempt, meter: GasMeter): ExecutionStatus {
  try {
    meter.charge(request.authenticators * UNITS_PER_AUTHENTICATOR);
    runProgram(attempt.session, request.program, attempt.gasCoin);
    return { status: 'success' };
  } catch (error) {
    if (!(error instanceof ExecutionFailed)) throw error;
    const { message, hint } = error;
    return { status: 'failure', error: message, ...(hint && { hint }) };
  }
}

interface Attempt {
  readonly session: ExecutionSession;
  readonly gasCoin: RuntimeObject;
}

/** Loads the inputs and merges all payment coins into the first, less the budget, which cannot be spent. */
function begin({ inputs, budget, ...facts }: ExecutionRequest, meter: GasMeter): Attempt {
  const session = new ExecutionSession({ ...facts, meter, packages: inputs.packages });
  for (const object of inputs.owned) session.load(object, object.layout!);
  for (const { object } of inputs.shared) session.load(object, object.layout!);
  for (const object of inputs.immutable) session.load(object, object.layout!);
  const [gasCoin, ...smashed] = inputs.gas.map((object) => session.load(object, object.layout!));
  if (!gasCoin) throw new TypeError('a transaction has a gas coin');
  for (const coin of smashed) session.delete(coin);
  gasCoin.values.balance = inputs.gas.reduce((sum, { coin }) => sum + coin!.balance, 0n) - budget;
  return { session, gasCoin };
}

/**
 * Charges the gas; null if that exceeds the budget. Without `paysStorage`, objects that remain keep their
 * deposits.
 */
function finish(
  request: ExecutionRequest,
  { session, gasCoin }: Attempt,
  computation: bigint,
  status: ExecutionStatus,
  { paysStorage } = { paysStorage: true },
): ExecutionOutcome | null {
  const lamportVersion = 1 + highestVersion(request.inputs);
  const readOnly = new Set([
    ...request.inputs.immutable.map(({ objectId }) => objectId),
    ...request.inputs.shared.flatMap(({ object, mutable }) => (mutable ? [] : object.objectId)),
  ]);
  const touched = [...session.objects.values()].filter(
    ({ id, origin, deleted }) => !readOnly.has(id) && (origin !== null || !deleted),
  );
  const packages = session.packages.map((made) => storePackage(made, request.digest));
  const billed = paysStorage ? touched : touched.filter(({ deleted }) => deleted);
  const gasUsed = summarize(computation, billed, packages);
  const charge = computation + gasUsed.storageCost - gasUsed.storageRebate;
  if (charge > request.budget) return null;
  gasCoin.values.balance = (gasCoin.values.balance as bigint) + request.budget - charge;
  const written = touched.map((object) => ({
    before: object.origin,
    after: object.deleted ? null : store(object, request, lamportVersion, paysStorage),
  }));
  const published = packages.map((after) => ({ before: null, after }));
  const changes = [...written, ...published].sort((a, b) => compareIds(idOf(a), idOf(b)));
  return {
    effects: describeEffects({
      request,
      status,
      gasUsed,
      lamportVersion,
      changes,
      events: session.events,
      gasId: gasCoin.id,
    }),
    events: session.events,
    changes,
    supply: session.supply,
  };
}

function summarize(
  computation: bigint,
  touched: readonly RuntimeObject[],
  packages: readonly StoredObject[],
): GasCostSummary {
  let cost = packages.reduce((sum, { storageRebate }) => sum + storageRebate, 0n);
  let rebate = 0n;
  for (const object of touched) {
    if (object.origin) rebate += object.origin.storageRebate;
    if (!object.deleted) cost += storageCost(sizeOf(object));
  }
  return {
    computationCost: computation,
    computationCostBurned: computation,
    storageCost: cost,
    storageRebate: rebate,
    nonRefundableStorageFee: 0n,
  };
}

function sizeOf(object: RuntimeObject): number {
  return object.origin && object.layout.fields.every(([, type]) => type !== 'string')
    ? object.origin.sizeForGas
    : asStored(object, '', 0, 0n).sizeForGas;
}

function store(
  object: RuntimeObject,
  { digest }: ExecutionRequest,
  version: number,
  paysStorage: boolean,
): StoredObject {
  const deposit = paysStorage ? storageCost(sizeOf(object)) : (object.origin?.storageRebate ?? 0n);
  return asStored(object, digest, version, deposit);
}

/** A package's version counts its upgrades; the versions of the inputs do not matter. */
function storePackage(
  { id, modules, size, version, originalId }: NewPackage,
  digest: string,
): StoredObject {
  const rebate = storageCost(sizeForGas('package', size));
  return new StoredObject(
    id,
    version,
    'Immutable',
    'package',
    null,
    {},
    digest,
    rebate,
    modules,
    originalId,
  );
}

function asStored(
  { id, owner, type, layout, values }: RuntimeObject,
  digest: string,
  version: number,
  rebate: bigint,
): StoredObject {
  return new StoredObject(id, version, owner ?? 'Immutable', type, layout, values, digest, rebate);
}

function highestVersion({ owned, shared, immutable, received, gas }: ResolvedInputs): number {
  let highest = 0;
  for (const { version } of received) highest = Math.max(highest, version);
  for (const { version } of owned) highest = Math.max(highest, version);
  for (const { object } of shared) highest = Math.max(highest, object.version);
  for (const { version } of immutable) highest = Math.max(highest, version);
  for (const { version } of gas) highest = Math.max(highest, version);
  return highest;
}

function idOf({ before, after }: ObjectWrite): string {
  return (after ?? before)!.objectId;
}

function compareIds(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
