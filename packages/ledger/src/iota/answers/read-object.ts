import type { IotaObjectResponse } from '@iota/iota-sdk/client';
import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import type { NodeAnswer } from './node-answer.js';

/** The objects that were asked for by these ids, in this order. Throws `NodeFailure`. */
export function readObjects(answer: NodeAnswer, ids: readonly string[]): IotaObjectResponse[] {
  return answer.items(ids.length).map((item, index) => readObject(item, ids[index]!));
}

/** An object, or the reason of its absence. Parts that were asked for may still be absent. */
function readObject(answer: NodeAnswer, id: string): IotaObjectResponse {
  const [data, error] = [answer.field('data'), answer.field('error')];
  checkId(data.partOf('objectId'), id);
  checkId(error.partOf('object_id'), id);
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

/** Absent, or this one: nodes leave out leading zeros in some places. */
function checkId(named: NodeAnswer | null, id: string): void {
  if (named === null || named.isAbsent) return;
  if (normalizeIotaAddress(named.text()) !== normalizeIotaAddress(id)) throw named.another(id);
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
