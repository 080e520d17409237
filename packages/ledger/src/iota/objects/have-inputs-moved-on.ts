import type { IotaClient } from '@iota/iota-sdk/client';
import type { DecodedTransaction } from '../../decoded-transaction.js';
import { readObjects } from '../coins/gas-coins.js';
import { MAX_OBJECTS_PER_READ } from '../limits.js';

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
