import type { ObjectReference } from '../../object-reference.js';
import type { Judgements } from './look-up.js';

/**
 * The inputs that only one transaction at a time may use: those that the node showed to be the
 * sender's at exactly that version, and received ones whose parent is such an input. So a caller
 * cannot lock another account's objects by naming them.
 */
export function findExclusive(sender: string, judgements: Judgements): ObjectReference[] {
  const own = (isReceived: boolean, isOwner: (owner: string) => boolean): ObjectReference[] =>
    [...judgements].flatMap(([subject, judgement]) => {
      if (judgement.kind !== 'fit' || judgement.owner === null) return [];
      if (subject.reference === null || subject.isReceived !== isReceived) return [];
      return isOwner(judgement.owner) ? [subject.reference] : [];
    });
  const owned = own(false, (owner) => owner === sender);
  const parents = new Set(owned.map(({ objectId }) => objectId));
  return [...owned, ...own(true, (owner) => parents.has(owner))];
}
