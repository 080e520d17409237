import type { SponsorshipFilters } from '../../api/queries.js';
import { filtersOfPeriod } from './list-periods.js';
import { readSearch } from './read-search.js';

/** The filters of the list, as they stand in the page's address: a link shows the same list. */
export interface SponsorshipSearch {
  /** The search box. */
  readonly q?: string | undefined;
  readonly state?: string | undefined;
  readonly token?: string | undefined;
  readonly status?: string | undefined;
  readonly outcome?: string | undefined;
  readonly error?: string | undefined;
  readonly package?: string | undefined;
  readonly sponsor?: string | undefined;
  readonly period?: string | undefined;
  /** `oldest`: what comes first, otherwise the newest. */
  readonly order?: string | undefined;
}

const NAMES = [
  'q',
  'state',
  'token',
  'status',
  'outcome',
  'error',
  'package',
  'sponsor',
  'period',
  'order',
] as const;

/** Reads an address, which anybody may write: only texts of known names are kept. */
export function readSponsorshipSearch(
  search: Readonly<Record<string, unknown>>,
): SponsorshipSearch {
  const given = NAMES.map((name) => [name, search[name]] as const).filter(
    ([, value]) => (typeof value === 'string' || typeof value === 'number') && value !== '',
  );
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

/** The filters of the gateway's route; null: the search box names nothing that can be found. */
export function filtersOf(search: SponsorshipSearch, now: number): SponsorshipFilters | null {
  const { q, period, ...rest } = search;
  const chosen = Object.entries(rest).filter(([name]) => name !== 'order');
  const filters: SponsorshipFilters = {
    ...Object.fromEntries(chosen),
    ...filtersOfPeriod(period, now),
  };
  if (q === undefined || q.trim() === '') return filters;
  const parsed = readSearch(q);
  switch (parsed?.kind) {
    case undefined:
    case 'reservation':
      return null;
    case 'digest':
      return { ...filters, digest: parsed.digest };
    case 'address':
      return { ...filters, sender: parsed.address };
    case 'function':
      return { ...filters, ...parsed.parts };
    case 'token':
      return { ...filters, token: parsed.token };
  }
}
