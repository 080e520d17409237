import type { IotaObjectResponse } from '@iota/iota-sdk/client';
import { type ObjectSource, readObjects } from './read-objects.js';
import { MAX_OBJECTS_PER_READ } from '../limits.js';
import type { Judgement } from './judge-objects.js';
import type { Subject } from './subjects.js';
import type { ReadRecentObjects, RecentObject } from '../../recent-object.js';

export type Judgements = ReadonlyMap<Subject, Judgement>;

/** Above this number, missing objects are probably made up, and the search ends. */
const MAX_MISSING = 10;
const UNANSWERED: Judgement = { kind: 'unclear' };

/**
 * Reads the objects page by page, from a node and from the fleet's recent objects, and judges each.
 * Stops at the first page after which further ones cannot change the result.
 */
export async function lookUp(
  client: ObjectSource,
  subjects: readonly Subject[],
  readRecent: ReadRecentObjects,
): Promise<Judgements> {
  const judgements = new Map<Subject, Judgement>();
  for (let from = 0; from < subjects.length; from += MAX_OBJECTS_PER_READ) {
    const page = subjects.slice(from, from + MAX_OBJECTS_PER_READ);
    const ids = page.map(({ objectId }) => objectId);
    const referenced = page.filter(({ reference }) => reference !== null);
    const versions = new Map(
      page.flatMap(({ objectId, version }) => (version === null ? [] : [[objectId, version]])),
    );
    const [responses, recent] = await Promise.all([
      readObjects(client, ids, { showOwner: true, showType: true }, versions),
      readRecent(referenced.map(({ objectId }) => objectId)),
    ]);
    page.forEach((subject, index) => {
      const response = responses[index];
      if (!response) return judgements.set(subject, UNANSWERED);
      const known = subject.reference === null ? undefined : recent.get(subject.objectId);
      const latest = latestKnown(response, known);
      const judgement = subject.judge(latest);
      const isOutdated = known !== undefined && known.version > subject.reference!.version;
      const isBehind = latest !== response && isOutdated && judgement.kind === 'refused';
      return judgements.set(subject, isBehind ? { ...judgement, isBehind } : judgement);
    });
    if (isRefused(judgements) || areManyMissing(judgements)) break;
  }
  return judgements;
}

/** Whether the transaction is refused for certain, independent of further reads. */
export function isRefused(judgements: Judgements): boolean {
  return [...judgements.values()].some(({ kind }) => kind === 'refused');
}

/** Whether every refused object is one that the node still shows and the fleet has seen change. */
export function isNodeBehind(judgements: Judgements): boolean {
  return [...judgements.values()].every((one) => one.kind !== 'refused' || one.isBehind === true);
}

/** Whether more objects are missing than a lagging node explains. */
export function areManyMissing(judgements: Judgements): boolean {
  return [...judgements.values()].filter(({ kind }) => kind === 'missing').length > MAX_MISSING;
}

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
