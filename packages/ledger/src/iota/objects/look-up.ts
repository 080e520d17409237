import type { IotaClient } from '@iota/iota-sdk/client';
import type { ReadRecentObjects } from '../../recent-object.js';
import { readObjects } from '../coins/gas-coins.js';
import type { Judgement } from './judge-objects.js';
import { latestKnown } from './latest-known.js';
import { MAX_OBJECTS_PER_READ } from '../limits.js';
import type { Subject } from './list-subjects.js';

export type Judgements = ReadonlyMap<Subject, Judgement>;

/** Above this number, missing objects are probably made up, and the search ends. */
const MAX_MISSING = 10;
const UNANSWERED: Judgement = { kind: 'unclear' };

/**
 * Reads the objects page by page, from a node and from the fleet's recent objects, and judges each.
 * Stops at the first page after which further ones cannot change the result.
 */
export async function lookUp(
  client: IotaClient,
  subjects: readonly Subject[],
  readRecent: ReadRecentObjects,
): Promise<Judgements> {
  const judgements = new Map<Subject, Judgement>();
  for (let from = 0; from < subjects.length; from += MAX_OBJECTS_PER_READ) {
    const page = subjects.slice(from, from + MAX_OBJECTS_PER_READ);
    const ids = page.map(({ objectId }) => objectId);
    const referenced = page.filter(({ reference }) => reference !== null);
    const [responses, recent] = await Promise.all([
      readObjects(client, ids, { showOwner: true, showType: true }),
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
