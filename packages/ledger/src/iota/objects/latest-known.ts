import type { IotaObjectResponse } from '@iota/iota-sdk/client';
import type { RecentObject } from '../../ledger.js';

/**
 * The latest state of an object: the higher version of the one that a node shows and the one in
 * final effects. A node may lag, and objects also change by transactions outside the fleet.
 */
export function latestKnown(
  response: IotaObjectResponse,
  recent: RecentObject | undefined,
): IotaObjectResponse {
  if (recent === undefined || recent.version < versionOf(response)) return response;
  const { objectId, digest, owner } = recent;
  const version = String(recent.version);
  if (owner === null) {
    return { error: { code: 'deleted', object_id: objectId, version, digest } };
  }
  // Packages are not cached, so any type will do.
  const data = { objectId, version, digest, owner, type: 'object' };
  return { data: data as NonNullable<IotaObjectResponse['data']> };
}

/** -1: the node shows none. */
function versionOf({ data, error }: IotaObjectResponse): number {
  if (data) return Number(data.version);
  return error?.code === 'deleted' ? Number(error.version) : -1;
}
