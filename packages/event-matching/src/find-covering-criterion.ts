import type { EventCriterion, EventFilter, EventKind } from '@forecourt/contracts';
import { findAnchors } from './find-anchors.js';

/** The narrowest known criterion that every event matching the filter satisfies; `All` if there is no narrower one. */
export function findCoveringCriterion(filter: EventFilter): EventCriterion {
  const [anchor, ...others] = findAnchors(filter);
  if (anchor === undefined || others.length > 0) return { key: 'All' };
  const { value } = anchor;
  switch (anchor.key) {
    case 'ObjectId':
      return { key: 'Object', objectId: value };
    case 'SenderAddress':
      return { key: 'Sender', address: value };
    case 'MoveEventType':
      return { key: 'MoveEvent', type: value };
    case 'MoveEventField':
      return { key: 'EventType', kind: 'MoveEvent' };
    case 'EventType':
      return { key: 'EventType', kind: value as EventKind };
    case 'Package':
    case 'Module':
      return { key: 'All' };
  }
}
