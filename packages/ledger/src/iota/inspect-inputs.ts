import { setTimeout as delay } from 'node:timers/promises';
import type { IotaClient, IotaObjectResponse } from '@iota/iota-sdk/client';
import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import type { DecodedTransaction } from '../decoded-transaction.js';
import type { InspectedInputs } from '../ledger.js';
import type { ObjectReference } from '../object-reference.js';
import { readObjects } from './gas-coins.js';
import type { KnownObjects } from './known-objects.js';

/** The node's own introduction to what is wrong with inputs, so that clients can match on it. */
const INTRODUCTION =
  'Transaction validator signing failed due to issues with transaction inputs, please review the errors and try again:';

/** What was made a moment ago may not show yet. */
const LOOK_AGAIN_MS = [150, 350, 700];

interface Problem {
  readonly text: string;
  /** A node that lags behind shows the same. */
  readonly mayPass: boolean;
}

/** See `Ledger.inspectInputs`. `known`: shared objects and packages that were seen to exist. */
export async function inspectInputs(
  client: IotaClient,
  transaction: DecodedTransaction,
  known: KnownObjects,
): Promise<InspectedInputs> {
  let seen = await look(client, transaction, known);
  for (const pause of LOOK_AGAIN_MS) {
    if (!seen.problems.some(({ mayPass }) => mayPass)) break;
    await delay(pause);
    seen = await look(client, transaction, known);
  }
  const texts = seen.problems.map(({ text }) => `- ${text}`);
  const refusal = texts.length === 0 ? null : [INTRODUCTION, ...texts].join('\n');
  return { refusal, exclusive: [...seen.exclusive, ...transaction.receivedInputs] };
}

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

interface Seen {
  readonly problems: readonly Problem[];
  readonly exclusive: readonly ObjectReference[];
}

async function look(
  client: IotaClient,
  { ownedInputs, sharedInputs, moveCalls, sender }: DecodedTransaction,
  known: KnownObjects,
): Promise<Seen> {
  const named = [...sharedInputs, ...moveCalls.map(({ packageId }) => ({ objectId: packageId }))];
  const unknown = [...new Set(named.map(({ objectId }) => objectId))].filter(
    (objectId) => !known.has(objectId),
  );
  const owned = ownedInputs.map(({ objectId }) => objectId);
  if (owned.length + unknown.length === 0) return { problems: [], exclusive: [] };
  const responses = await readObjects(client, [...owned, ...unknown], { showOwner: true });
  const ofOwned = ownedInputs.map((input, index) => problemOf(input, responses[index], sender));
  const ofUnknown = unknown.map((objectId, index) => {
    const response = responses[owned.length + index];
    if (response?.data) known.add(objectId);
    return response?.error?.code === 'notExists' ? missing(objectId, 'None') : null;
  });
  return {
    problems: [...ofOwned, ...ofUnknown].filter((problem) => problem !== null),
    exclusive: ownedInputs.filter((_, index) => responses[index]?.data?.owner !== 'Immutable'),
  };
}

function problemOf(
  input: ObjectReference,
  response: IotaObjectResponse | undefined,
  sender: string,
): Problem | null {
  const { data, error } = response ?? {};
  if (error?.code === 'deleted') return certain(staleText(input, error.version));
  const wanted = `Some(SequenceNumber(${input.version}))`;
  if (error?.code === 'notExists') return missing(input.objectId, wanted);
  if (!data) return null;
  const version = Number(data.version);
  if (version > input.version) return certain(staleText(input, data.version));
  if (version < input.version) return missing(input.objectId, wanted);
  if (data.digest !== input.digest) {
    const text = `Invalid Object digest for object ${input.objectId}, expected digest : ${data.digest}`;
    return certain(text);
  }
  const owner = data.owner;
  if (owner == null || owner === 'Immutable') return null;
  const address =
    typeof owner === 'object' && 'AddressOwner' in owner
      ? normalizeIotaAddress(owner.AddressOwner)
      : null;
  if (address === sender) return null;
  const holder =
    address === null ? 'not owned by an address' : `owned by account address ${address}`;
  return certain(
    `Transaction was not signed by the correct sender: Object ${input.objectId} is ${holder}, but given owner/signer address is ${sender}`,
  );
}

function certain(text: string): Problem {
  return { text, mayPass: false };
}

function missing(objectId: string, version: string): Problem {
  const text = `Could not find the referenced object ${objectId} at version ${version}`;
  return { text, mayPass: true };
}

function staleText(input: ObjectReference, current: string | number): string {
  const hex = (version: string | number) => `0x${BigInt(version).toString(16)}`;
  return `Object ID ${input.objectId} Version ${hex(input.version)} Digest ${input.digest} is not available for consumption, current version: ${hex(current)}`;
}
