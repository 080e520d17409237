import type { EventFilter } from '@forecourt/contracts';
import { pathKeyOf } from './field-keys.js';

/** The cost of a filter while it is subscribed. */
export interface FilterCost {
  /** Estimated memory of the filter, its compiled form and its index entries. */
  readonly bytes: number;
  /** JSON pointers of its `MoveEventField` filters: each is resolved once in every Move event. */
  readonly paths: ReadonlySet<string>;
}

/** Objects and closures of one attribute filter or combinator, measured on Node 24 and rounded up. */
const BYTES_PER_FILTER = 400;
/** A string is stored in the filter, in its compiled form and in the index. */
const COPIES = 3;

export function measureFilterCost(filter: EventFilter): FilterCost {
  const paths = new Set<string>();
  let bytes = 0;
  const add = (one: EventFilter): void => {
    bytes += BYTES_PER_FILTER;
    if ('filters' in one) one.filters.forEach(add);
    else if (one.key === 'MoveEventField') {
      const path = pathKeyOf(one.path);
      paths.add(path);
      bytes += COPIES * (path.length + JSON.stringify(one.value).length);
    } else bytes += COPIES * lengthOf(one);
  };
  add(filter);
  return { bytes, paths };
}

function lengthOf(filter: EventFilter): number {
  return Object.values(filter).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : 0),
    0,
  );
}
