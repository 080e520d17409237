import {
  LedgerService,
  type Object$ as NodeObject,
  type ObjectResult,
  StateService,
} from '../../node-messages/index.js';
import type { IotaObjectResponse } from '@iota/iota-sdk/client';
import { fromBase64, fromHex, toBase64, toHex } from '@iota/iota-sdk/utils';
import { NodeAnswer } from '../answers/node-answer.js';
import { readObjects } from '../answers/read-object.js';
import type { CoinPage, ListedCoin } from '../client/node-client.js';
import { encodeBase58 } from '../../base58/index.js';
import { isAbsent } from './grpc-errors.js';
import { naturalOf } from './natural.js';
import type { CalledNode } from './node-layouts.js';
import { GAS_TYPE, readObjectBcs, showOwner } from './object-bcs.js';

const OBJECT_FIELDS = { paths: ['reference', 'bcs'] };
const GAS_COIN = '0x2::coin::Coin<0x2::iota::IOTA>';
const PAGE_SIZE = 1_000;

/**
 * Objects with all their parts. A node does not tell a deleted object from one that never existed, but
 * returns its former versions until it prunes them. So one that is absent is `deleted` if the node has it at
 * the version in `knownVersions`; the version of its deletion is not known then, only that it is higher.
 */
export async function fetchObjects(
  node: CalledNode,
  ids: readonly string[],
  knownVersions: ReadonlyMap<string, number> = new Map(),
): Promise<IotaObjectResponse[]> {
  const objects = await showObjects(node, ids, knownVersions);
  return readObjects(new NodeAnswer('getObjects', objects), ids);
}

async function showObjects(
  node: CalledNode,
  ids: readonly string[],
  knownVersions: ReadonlyMap<string, number>,
): Promise<readonly object[]> {
  const latest = ids.map((id) => ({ id }));
  const first = await getObjects(node, latest);
  const former = latest.flatMap(({ id }, index) => {
    const version = knownVersions.get(id);
    return version !== undefined && isMissing(first[index]!) ? { id, version } : [];
  });
  if (former.length === 0) return first.map((result, index) => showResult(result, ids[index]!));
  // A node that lags may receive an object at any moment: one that it has at a former version, and then not
  // at its latest, is gone. All are read again, so that the answer shows them in the order in which they were
  // asked for.
  const all = await getObjects(node, [...former, ...latest]);
  const had = new Map(
    former.flatMap(({ id, version }, index) =>
      all[index]!.result.case === 'object' ? [[id, version]] : [],
    ),
  );
  return all.slice(former.length).map((result, index) => {
    const id = ids[index]!;
    const version = had.get(id);
    if (version === undefined || !isMissing(result)) return showResult(result, id);
    return { error: { code: 'deleted', object_id: id, version: String(version + 1) } };
  });
}

interface ObjectVersion {
  readonly id: string;
  /** Absent: the latest. */
  readonly version?: number;
}

/** Results in the order of the objects. Throws `Error` for an answer that has another order or number. */
async function getObjects(
  { channel, endsAt }: CalledNode,
  objects: readonly ObjectVersion[],
): Promise<ObjectResult[]> {
  const requests = objects.map(({ id, version }) => ({
    objectRef: {
      objectId: { objectId: fromHex(id) },
      ...(version !== undefined && { version: BigInt(version) }),
    },
  }));
  const request = { requests: { requests }, readMask: OBJECT_FIELDS };
  const answers = await channel.all(LedgerService.method.getObjects, request, endsAt);
  const results = answers.flatMap((answer) => answer.objects);
  const matches = ({ result }: ObjectResult, { id, version }: ObjectVersion) => {
    if (result.case !== 'object') return true;
    const reference = showReference(result.value);
    return (
      reference.objectId === id && (version === undefined || reference.version === String(version))
    );
  };
  if (
    results.length !== objects.length ||
    !results.every((result, index) => matches(result, objects[index]!))
  ) {
    throw new Error('the objects are not those that were asked for');
  }
  return results;
}

function isMissing({ result }: ObjectResult): boolean {
  return result.case === 'error' && isAbsent(result.value);
}

function showResult({ result }: ObjectResult, id: string): object {
  if (result.case === 'object') return { data: showObject(result.value) };
  if (result.case === 'error' && isAbsent(result.value)) {
    return { error: { code: 'notExists', object_id: id } };
  }
  return { error: { code: 'unknown', error: result.value?.message ?? 'no result' } };
}

function showObject(object: NodeObject): object {
  const { type, owner, previousTransaction, balance } = readObjectBcs(object.bcs!.data);
  return {
    ...showReference(object),
    type,
    owner: showOwner(owner),
    previousTransaction,
    ...(balance !== null && {
      content: { dataType: 'moveObject', type, fields: { balance: String(balance) } },
    }),
  };
}

function showReference({ reference }: NodeObject) {
  const { objectId, version, digest } = reference!;
  return {
    objectId: `0x${toHex(objectId!.objectId)}`,
    version: String(version),
    digest: encodeBase58(digest!.digest),
  };
}

/** A page of gas coins; the cursor is the node's page token in base64. */
export async function listCoins(
  node: CalledNode,
  owner: string,
  cursor: string | null,
): Promise<CoinPage> {
  const pageToken = cursor === null ? undefined : fromBase64(cursor);
  const answer = await listOwned(node, owner, OBJECT_FIELDS, pageToken);
  const next = answer.nextPageToken;
  return {
    coins: answer.objects.map(readCoin),
    nextCursor: next === undefined ? null : toBase64(next),
  };
}

function listOwned(
  { channel, endsAt }: CalledNode,
  owner: string,
  readMask: { readonly paths: string[] },
  pageToken: Uint8Array | undefined,
) {
  const request = {
    owner: { address: fromHex(owner) },
    objectType: GAS_COIN,
    pageSize: PAGE_SIZE,
    readMask,
    ...(pageToken && { pageToken }),
  };
  return channel.unary(StateService.method.listOwnedObjects, request, endsAt);
}

function readCoin(object: NodeObject): ListedCoin {
  const { balance, coinType, previousTransaction } = readObjectBcs(object.bcs!.data);
  if (balance === null || coinType !== GAS_TYPE) throw new Error('an object is not a gas coin');
  const { objectId, version, digest } = showReference(object);
  const coin = { objectId, version: naturalOf(BigInt(version)), digest, balance };
  return { coin, changedBy: previousTransaction };
}

/**
 * The number of an owner's gas coins. Nodes do not count them, so all pages are read; one that moves from a
 * page to the next meanwhile counts once. Throws `Error` for pages without end.
 */
export async function countCoins(node: CalledNode, owner: string): Promise<bigint> {
  const ids = new Set<string>();
  let pageToken: Uint8Array | undefined;
  do {
    const answer = await listOwned(node, owner, { paths: ['reference'] }, pageToken);
    const before = ids.size;
    for (const object of answer.objects) ids.add(showReference(object).objectId);
    pageToken = answer.nextPageToken;
    if (ids.size === before && pageToken !== undefined) throw new Error('the pages have no end');
  } while (pageToken !== undefined);
  return BigInt(ids.size);
}
