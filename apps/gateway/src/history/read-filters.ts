import { canonicalAddress, ForecourtError, type RecordFilters } from '@forecourt/contracts';
import {
  RECORDS_LIMIT,
  type RefusalsQuery,
  type SponsorshipsQuery,
} from '@forecourt/contracts/http';
import { readDigest } from '../http/read-parameters.js';

/** Texts of a query, which its DTO has validated. */
type Texts = { readonly [Name in keyof RecordFilters]?: string };

const asTime = Number;
const asAddress = (text: string) => canonicalAddress(text)!;
const asText = (text: string) => text;

/** The value of each filter. */
const READERS: { readonly [Name in keyof Required<RecordFilters>]: (text: string) => unknown } = {
  from: asTime,
  to: asTime,
  token: asText,
  user: asAddress,
  sender: asAddress,
  sponsor: asAddress,
  status: asText,
  outcome: asText,
  state: asText,
  package: asAddress,
  module: asText,
  function: asText,
  digest: readDigest,
  error: asText,
};

/** The given filters. Throws INVALID_REQUEST for a time that ends before it begins. */
export function readFilters(texts: Texts): RecordFilters {
  const filters: RecordFilters = Object.fromEntries(
    Object.entries(READERS).flatMap(([name, read]) => {
      const text = texts[name as keyof RecordFilters];
      return text === undefined ? [] : [[name, read(text)]];
    }),
  );
  requireOrder(filters);
  return filters;
}

/** Throws INVALID_REQUEST for a time that ends before it begins. */
export function requireOrder({
  from = 0,
  to = Infinity,
}: Pick<RecordFilters, 'from' | 'to'>): void {
  if (from <= to) return;
  const problem = `from must not be later than to, which is ${to}; got ${from}`;
  throw new ForecourtError('INVALID_REQUEST', problem);
}

export function readLimit({ limit }: Pick<SponsorshipsQuery | RefusalsQuery, 'limit'>): number {
  return limit === undefined ? RECORDS_LIMIT.default : Number(limit);
}
