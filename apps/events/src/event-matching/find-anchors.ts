import type { EventFilter, FilterAttribute } from '@forecourt/contracts';
import { jsonKey } from './event-traits.js';

/**
 * An attribute and the value that an event must have. `key` is the kind of filter; for `MoveEventField`,
 * `path` leads to the field and `value` is its `jsonKey`.
 */
export interface Anchor {
  readonly key: FilterAttribute | 'MoveEventField';
  readonly value: string;
  readonly path?: readonly string[];
}

/**
 * Approximate number of events that share a value of the attribute: the fewer, the more selective.
 */
const BREADTH: Readonly<Record<Anchor['key'], number>> = {
  ObjectId: 1,
  MoveEventField: 2,
  SenderAddress: 3,
  MoveEventType: 10,
  Package: 30,
  Module: 40,
  EventType: 200,
};

/** The most selective anchors such that every event matching the filter has at least one of them. */
export function findAnchors(filter: EventFilter): readonly Anchor[] {
  switch (filter.key) {
    case 'And':
    case 'All':
      return filter.filters
        .map(findAnchors)
        .reduce((best, anchors) => (breadth(anchors) < breadth(best) ? anchors : best));
    case 'Or':
    case 'Any':
      return filter.filters.flatMap(findAnchors);
    case 'MoveEventField':
      return [{ key: filter.key, value: jsonKey(filter.value), path: filter.path }];
    default:
      return [{ key: filter.key, value: filter.value }];
  }
}

function breadth(anchors: readonly Anchor[]): number {
  return anchors.reduce((sum, { key }) => sum + BREADTH[key], 0);
}
