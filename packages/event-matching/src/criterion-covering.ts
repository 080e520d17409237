import type { EventCriterion, EventFilter } from '@forecourt/contracts';
import { findAnchors } from './find-anchors.js';

/** A criterion that every event matching the filter satisfies, as narrow as can be had; `All` where none is narrower. */
export function criterionCovering(filter: EventFilter): EventCriterion {
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
      return { key: 'EventType', kind: value as EventKindOf };
    case 'Package':
    case 'Module':
      return { key: 'All' };
  }
}

type EventKindOf = Extract<EventCriterion, { key: 'EventType' }>['kind'];
