import { ForecourtError, type Page } from '@forecourt/contracts';

/** The first `limit` of the rows, and where the next page begins if there are more. */
export function pageOf<Row extends { readonly id: string }>(
  rows: readonly Row[],
  limit: number,
): Page<Row> {
  const data = rows.slice(0, limit);
  return { data, next: rows.length > limit ? (data.at(-1)?.id ?? null) : null };
}

/** Reads the id before which a page begins. Throws INVALID_REQUEST. */
export function readBefore(before: string | undefined): bigint | undefined {
  if (before === undefined) return undefined;
  if (/^\d{1,19}$/.test(before)) return BigInt(before);
  throw new ForecourtError('INVALID_REQUEST', 'before is not the id of a record');
}
