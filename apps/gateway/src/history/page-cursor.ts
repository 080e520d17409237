import { hash } from 'node:crypto';
import {
  describeArrived,
  ForecourtError,
  type RecordFilters,
  type Viewer,
} from '@forecourt/contracts';

/** A query whose pages are listed. */
export interface PagedQuery {
  readonly list: 'sponsorships' | 'refusals';
  readonly viewer: Viewer;
  readonly filters: RecordFilters;
}

const QUERY_LENGTH = 16;
/** Positions in a list are ids of records: signed 64-bit numbers in the database, and numbers of JSON in the pools. */
const MOST = { refusals: 2n ** 63n - 1n, sponsorships: BigInt(Number.MAX_SAFE_INTEGER) };

/**
 * The cursor of the page that begins after a position. It names its query, so that one that is used with other filters is
 * refused instead of skipping records. It is no secret: every request finds only what its caller may see.
 */
export function writeCursor(query: PagedQuery, position: string): string {
  return `${nameOf(query)}${Buffer.from(position).toString('base64url')}`;
}

/** The position of a cursor. Throws INVALID_REQUEST for a cursor that no page of this query has had. */
export function readCursor(query: PagedQuery, cursor: string): string {
  const position = Buffer.from(cursor.slice(QUERY_LENGTH), 'base64url').toString();
  const isId = /^[1-9]\d{0,18}$/.test(position) && BigInt(position) <= MOST[query.list];
  if (isId && writeCursor(query, position) === cursor) return position;
  const expected = 'the next_cursor of a page with the same filters and token';
  const problem = `cursor must be ${expected}; got ${describeArrived(cursor)}`;
  throw new ForecourtError('INVALID_REQUEST', problem);
}

function nameOf({ list, viewer, filters }: PagedQuery): string {
  const given = Object.entries(filters).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([list, viewer.token, viewer.user, given]);
  return hash('sha256', text, 'base64url').slice(0, QUERY_LENGTH);
}
