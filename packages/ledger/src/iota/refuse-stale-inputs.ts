import type { IotaClient, IotaObjectResponse } from '@iota/iota-sdk/client';
import type { DecodedTransaction } from '../decoded-transaction.js';
import type { ObjectReference } from '../object-reference.js';
import { readObjects } from './gas-coins.js';

/** The node's own introduction to what is wrong with inputs, so that clients can match on it. */
const INTRODUCTION =
  'Transaction validator signing failed due to issues with transaction inputs, please review the errors and try again:';

/**
 * See `Ledger.refuseStaleInputs`. A node that shows an older version than the transaction names lags behind, which is no
 * reason to refuse.
 */
export async function refuseStaleInputs(
  client: IotaClient,
  transaction: DecodedTransaction,
): Promise<string | null> {
  const inputs = transaction.ownedInputs;
  if (inputs.length === 0) return null;
  const responses = await readObjects(
    client,
    inputs.map((input) => input.objectId),
    {},
  );
  const problems = inputs.flatMap((input, index) => {
    const problem = problemOf(input, responses[index]);
    return problem ? [`- ${problem}`] : [];
  });
  return problems.length === 0 ? null : [INTRODUCTION, ...problems].join('\n');
}

function problemOf(
  input: ObjectReference,
  response: IotaObjectResponse | undefined,
): string | null {
  const { data, error } = response ?? {};
  if (data) return Number(data.version) > input.version ? staleText(input, data.version) : null;
  if (error?.code === 'deleted') return staleText(input, error.version);
  if (error?.code === 'notExists') {
    return `Could not find the referenced object ${input.objectId} at version Some(SequenceNumber(${input.version}))`;
  }
  return null;
}

function staleText(input: ObjectReference, current: string | number): string {
  const hex = (version: string | number) => `0x${BigInt(version).toString(16)}`;
  return `Object ID ${input.objectId} Version ${hex(input.version)} Digest ${input.digest} is not available for consumption, current version: ${hex(current)}`;
}
