import type { IotaClient } from '@iota/iota-sdk/client';
import type { DecodedTransaction } from '../decoded-transaction.js';
import { readObjects } from './gas-coins.js';

/** See `Ledger.haveInputsMovedOn`. */
export async function haveInputsMovedOn(
  client: IotaClient,
  { digest, ownedInputs }: DecodedTransaction,
): Promise<boolean> {
  const ids = ownedInputs.map(({ objectId }) => objectId);
  const responses = await readObjects(client, ids, { showPreviousTransaction: true });
  return responses.some(({ data, error }, index) => {
    const { version } = ownedInputs[index]!;
    if (data) return Number(data.version) > version && data.previousTransaction !== digest;
    return error?.code === 'deleted';
  });
}
