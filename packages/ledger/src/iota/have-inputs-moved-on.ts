import type { IotaClient } from '@iota/iota-sdk/client';
import type { DecodedTransaction } from '../decoded-transaction.js';
import { readObjects } from './gas-coins.js';

/** See `Ledger.haveInputsMovedOn`. */
export async function haveInputsMovedOn(
  client: IotaClient,
  { ownedInputs }: DecodedTransaction,
): Promise<boolean> {
  const ids = ownedInputs.map(({ objectId }) => objectId);
  const responses = await readObjects(client, ids, {});
  return responses.some(({ data, error }, index) => {
    const { version } = ownedInputs[index]!;
    if (data) return Number(data.version) > version;
    return error?.code === 'deleted';
  });
}
