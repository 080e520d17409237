import type { IotaClient } from '@iota/iota-sdk/client';
import type { DecodedTransaction } from '../../decoded-transaction.js';
import { findTransaction } from './find-transaction.js';
import { readStatus } from '../nodes/read-status.js';

/**
 * See `Ledger.hasExpired`. `node`: a single node, since another may not have reached the end of the
 * epoch yet.
 */
export async function hasExpired(
  node: IotaClient,
  { digest, expirationEpoch }: Pick<DecodedTransaction, 'digest' | 'expirationEpoch'>,
): Promise<boolean> {
  if (expirationEpoch === null) return false;
  // Reads the epoch first: a node that has ended an epoch shows every transaction that landed in
  // it.
  const { epoch } = await readStatus(node);
  return epoch > expirationEpoch && (await findTransaction(node, digest)) === null;
}
