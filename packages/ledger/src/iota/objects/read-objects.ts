import type { IotaObjectResponse } from '@iota/iota-sdk/client';
import type { DecodedTransaction } from '../../decoded-transaction.js';
import { MAX_OBJECTS_PER_READ } from '../limits.js';
import type { NodeClient, ObjectPart } from '../client/node-client.js';

/** Reads objects in as few calls as the node allows; see `NodeClient.getObjects`. */
export async function readObjects(
  client: NodeClient,
  ids: readonly string[],
  parts: readonly ObjectPart[],
  knownVersions?: ReadonlyMap<string, number>,
): Promise<IotaObjectResponse[]> {
  const responses: IotaObjectResponse[] = [];
  for (let from = 0; from < ids.length; from += MAX_OBJECTS_PER_READ) {
    const some = ids.slice(from, from + MAX_OBJECTS_PER_READ);
    responses.push(...(await client.getObjects(some, parts, knownVersions)));
  }
  return responses;
}

/** See `Ledger.findLastChanges`. */
export async function findLastChanges(
  client: NodeClient,
  objectIds: readonly string[],
): Promise<Map<string, string>> {
  const responses = await readObjects(client, objectIds, ['previousTransaction']);
  return new Map(
    objectIds.flatMap((objectId, index) => {
      const digest = responses[index]!.data?.previousTransaction;
      return digest ? [[objectId, digest] as const] : [];
    }),
  );
}

/** See `Ledger.haveInputsMovedOn`. */
export async function haveInputsMovedOn(
  client: NodeClient,
  { digest, ownedInputs, gasPayment }: DecodedTransaction,
): Promise<boolean> {
  // One call to one node, because nodes may differ in age. The coins are read last: had this
  // transaction moved an input, it would have moved them too.
  const inputs = ownedInputs.slice(0, Math.max(0, MAX_OBJECTS_PER_READ - gasPayment.length));
  if (inputs.length === 0) return false;
  const ids = [...inputs, ...gasPayment].map(({ objectId }) => objectId);
  const versions = new Map(inputs.map(({ objectId, version }) => [objectId, version]));
  const responses = await readObjects(client, ids, ['previousTransaction'], versions);
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
