import type { IotaObjectDataOptions, IotaObjectResponse } from '@iota/iota-sdk/client';
import type { DecodedTransaction } from '../../decoded-transaction.js';
import { MAX_OBJECTS_PER_READ } from '../limits.js';
import { NodeAnswer } from '../answers/node-answer.js';
import type { CallSender } from '../transport/node-transport.js';

export const READ_OBJECTS = 'iota_multiGetObjects';

/**
 * Reads objects in as few calls as the node allows, in the order requested. `knownVersions`: a version of an
 * object at which the ledger had it, by id; without one, an object over gRPC that is absent may also have
 * been deleted. The version of a deletion is then the lowest that it can have. Throws `NodeFailure` for a
 * malformed response.
 */
export async function readObjects(
  client: CallSender,
  ids: readonly string[],
  options: IotaObjectDataOptions,
  knownVersions?: ReadonlyMap<string, number>,
): Promise<IotaObjectResponse[]> {
  const responses: IotaObjectResponse[] = [];
  for (let from = 0; from < ids.length; from += MAX_OBJECTS_PER_READ) {
    const some = ids.slice(from, from + MAX_OBJECTS_PER_READ);
    const call = { method: READ_OBJECTS, params: [some, options], knownVersions };
    const answer = await NodeAnswer.to(call, client);
    responses.push(...answer.items(some.length).map(readObject));
  }
  return responses;
}

/** An object, or the reason of its absence. Fields requested by `options` may still be absent. */
function readObject(answer: NodeAnswer): IotaObjectResponse {
  const [data, error] = [answer.field('data'), answer.field('error')];
  if (!data.isAbsent) {
    data.field('objectId').text();
    data.field('version').natural();
    data.field('digest').text();
    checkOwner(data.field('owner'));
  } else {
    const code = error.field('code').text();
    if (code === 'deleted') error.field('version').natural();
  }
  return answer.raw as IotaObjectResponse;
}

/** Kinds of ownership that this release does not know remain: those who judge objects leave them unclear. */
function checkOwner(owner: NodeAnswer): void {
  const { raw } = owner;
  const isKnown =
    typeof raw === 'object' &&
    raw !== null &&
    ('AddressOwner' in raw || 'ObjectOwner' in raw || 'Shared' in raw);
  if (isKnown) owner.owner();
}

/** See `Ledger.findLastChanges`. */
export async function findLastChanges(
  client: CallSender,
  objectIds: readonly string[],
): Promise<Map<string, string>> {
  const responses = await readObjects(client, objectIds, { showPreviousTransaction: true });
  return new Map(
    objectIds.flatMap((objectId, index) => {
      const digest = responses[index]!.data?.previousTransaction;
      return digest ? [[objectId, digest] as const] : [];
    }),
  );
}

/** See `Ledger.haveInputsMovedOn`. */
export async function haveInputsMovedOn(
  client: CallSender,
  { digest, ownedInputs, gasPayment }: DecodedTransaction,
): Promise<boolean> {
  // One call to one node, because nodes may differ in age. The coins are read last: had this
  // transaction moved an input, it would have moved them too.
  const inputs = ownedInputs.slice(0, Math.max(0, MAX_OBJECTS_PER_READ - gasPayment.length));
  if (inputs.length === 0) return false;
  const ids = [...inputs, ...gasPayment].map(({ objectId }) => objectId);
  const options = { showPreviousTransaction: true };
  const versions = new Map(inputs.map(({ objectId, version }) => [objectId, version]));
  const responses = await readObjects(client, ids, options, versions);
  const coins = responses.slice(inputs.length);
  const areCoinsUnmoved = gasPayment.every(
    ({ version }, index) => Number(coins[index]?.data?.version) === version,
  );
  if (!areCoinsUnmoved) return false;
  return inputs.some(({ version }, index) => {
    const { data, error } = responses[index]!;
    if (data) return Number(data.version) > version && data.previousTransaction !== digest;
    return isDeletedSince(error, version);
  });
}

/**
 * Whether an object was deleted or wrapped after this version. A node that lags may show an earlier deletion.
 */
export function isDeletedSince(error: IotaObjectResponse['error'], version: number): boolean {
  return error?.code === 'deleted' && Number(error.version) > version;
}
