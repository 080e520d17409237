import { hash } from 'node:crypto';
import {
  type DeliveryFilters,
  describeArrived,
  ForecourtError,
  type ListOrder,
  type RecordFilters,
  type Viewer,
} from '@forecourt/contracts';

/** A query whose pages are listed. */
export interface PagedQuery {
  readonly list: 'sponsorships' | 'refusals' | 'webhook deliveries' | 'decisions';
  readonly viewer: Viewer;
  readonly filters: RecordFilters | DeliveryFilters;
  /** By default the newest first. */
  readonly order?: ListOrder | undefined;
}

const QUERY_LENGTH = 16;
const isIdUpTo = (most: bigint) => (position: string) =>
  /^[1-9]\d{0,18}$/.test(position) && BigInt(position) <= most;
/**
 * The form of a position in a list: the id of a record, which is a signed 64-bit number in the database and a
 * number of JSON in the pools; of a delivery, its time and its id.
 */
const IS_POSITION: Readonly<Record<PagedQuery['list'], (position: string) => boolean>> = {
  refusals: isIdUpTo(2n ** 63n - 1n),
  sponsorships: isIdUpTo(BigInt(Number.MAX_SAFE_INTEGER)),
  decisions: (position) => /^\d{1,19}-\d{1,19}$/.test(position),
  'webhook deliveries': (position) => /^\d{1,15}:whd_[0-9a-f]{32}$/.test(position),
};

/**
 * The cursor of the page that begins after a position. It names its query, so that one that is used with
 * other filters, or in another order, is refused instead of skipping records. It is not secret: every request
 * finds only what its caller may see.
 */
export function writeCursor(query: PagedQuery, position: string): string {
  return `${nameOf(query)}${Buffer.from(position).toString('base64url')}`;
}

/** The position of a cursor. Throws INVALID_REQUEST for a cursor that no page of this query has had. */
export function readCursor(query: PagedQuery, cursor: string): string {
  const position = Buffer.from(cursor.slice(QUERY_LENGTH), 'base64url').toString();
  if (IS_POSITION[query.list](position) && writeCursor(query, position) === cursor) return position;
  const expected = 'the next_cursor of a page with the same filters, order and token';
  const problem = `cursor must be ${expected}; got ${describeArrived(cursor)}`;
  throw new ForecourtError('INVALID_REQUEST', problem);
}

function nameOf({ list, viewer, filters, order = 'newest' }: PagedQuery): string {
  const given = Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([list, viewer.token, viewer.user, given, order]);
  return hash('sha256', text, 'base64url').slice(0, QUERY_LENGTH);
}
