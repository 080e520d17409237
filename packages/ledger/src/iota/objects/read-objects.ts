import type { IotaClient, IotaObjectDataOptions, IotaObjectResponse } from '@iota/iota-sdk/client';
import type { DecodedTransaction } from '../../decoded-transaction.js';
import { MAX_OBJECTS_PER_READ } from '../limits.js';
import { NodeAnswer } from '../nodes/node-answer.js';

export const READ_OBJECTS = 'iota_multiGetObjects';

/**
 * Reads objects in as few calls as the node allows, in the order requested. Throws `NodeFailure`
 * for a malformed response.
 */
export async function readObjects(
  client: IotaClient,
  ids: readonly string[],
  options: IotaObjectDataOptions,
): Promise<IotaObjectResponse[]> {
  const responses: IotaObjectResponse[] = [];
  for (let from = 0; from < ids.length; from += MAX_OBJECTS_PER_READ) {
    const some = ids.slice(from, from + MAX_OBJECTS_PER_READ);
    const answer = await NodeAnswer.to(READ_OBJECTS, () =>
      client.multiGetObjects({ ids: some, options }),
    );
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
  } else {
    error.field('code').text();
  }
  return answer.raw as IotaObjectResponse;
}

/** See `Ledger.haveInputsMovedOn`. */
export async function haveInputsMovedOn(
  client: IotaClient,
  { digest, ownedInputs, gasPayment }: DecodedTransaction,
): Promise<boolean> {
  // One call to one node, because nodes may differ in age. The coins are read last: had this
  // transaction moved an input, it would have moved them too.
  const inputs = ownedInputs.slice(0, Math.max(0, MAX_OBJECTS_PER_READ - gasPayment.length));
  if (inputs.length === 0) return false;
  const ids = [...inputs, ...gasPayment].map(({ objectId }) => objectId);
  const options = { showPreviousTransaction: true };
  const responses = await readObjects(client, ids, options);
  const coins = responses.slice(inputs.length);
  const areCoinsUnmoved = gasPayment.every(
    ({ version }, index) => Number(coins[index]?.data?.version) === version,
  );
  if (!areCoinsUnmoved) return false;
  return inputs.some(({ version }, index) => {
    const { data, error } = responses[index]!;
    if (data) return Number(data.version) > version && data.previousTransaction !== digest;
    return error?.code === 'deleted';
  });
}
