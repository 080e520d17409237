import { TRANSACTION_FILTERS } from '../methods/transactions/read-transaction-filter.js';
import type { LagRange } from '../engine/delayed-steps.js';
import { type NodeProfile, type NodeVersion, LAG_FORMAT, readLag } from '../node/node-profile.js';
import { type Body, readBody, readChoice, readFlag, readInteger } from './read-ledger-request.js';
import { InvalidControlRequest } from './invalid-control-request.js';

const VERSIONS: Record<NodeVersion, true> = { '2022': true, '2025': true, '2026': true };

/** Reads the body of `POST /node`: absent fields stay unchanged. Throws `InvalidControlRequest`. */
export function readNodeProfile(request: unknown): Partial<NodeProfile> {
  const body = readBody(request);
  const known = {
    version: readChoice(body, 'version', VERSIONS),
    behindIndexer: readFlag(body, 'behindIndexer'),
    missingIsTransient: readFlag(body, 'missingIsTransient'),
    certificateless: readFlag(body, 'certificateless'),
    softLockMs: readInteger(body, 'softLockMs', 1),
    requiredHeaders: readHeaders(body),
    unsupportedFilters: readFilters(body),
    lagMs: readLagMs(body),
  };
  const unknown = Object.keys(body).find((field) => !Object.hasOwn(known, field));
  if (unknown !== undefined) {
    throw new InvalidControlRequest(`"${unknown}" is not one of ${Object.keys(known).join(', ')}`);
  }
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
}

/** A number of milliseconds, or the text of a range. */
function readLagMs({ lagMs: value }: Body): LagRange | undefined {
  if (value === undefined || value === null) return undefined;
  const isReadable = typeof value === 'number' || typeof value === 'string';
  const range = isReadable ? readLag(String(value)) : null;
  if (range === null) throw new InvalidControlRequest(`"lagMs" must be ${LAG_FORMAT}`);
  return range;
}

function readHeaders({ requiredHeaders: value }: Body): Record<string, string> | undefined {
  if (value === undefined || value === null) return undefined;
  const isObject = typeof value === 'object' && !Array.isArray(value);
  const entries = isObject ? Object.entries(value) : [];
  if (!isObject || entries.some(([, text]) => typeof text !== 'string')) {
    throw new InvalidControlRequest('"requiredHeaders" must be an object of header values');
  }
  return Object.fromEntries(entries.map(([name, text]) => [name.toLowerCase(), text as string]));
}

function readFilters({ unsupportedFilters: value }: Body): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const isKnown = (one: unknown) => TRANSACTION_FILTERS.some((filter) => filter === one);
  if (Array.isArray(value) && value.every(isKnown)) return value as string[];
  const filters = TRANSACTION_FILTERS.join(', ');
  throw new InvalidControlRequest(`"unsupportedFilters" must be an array of ${filters}`);
}
