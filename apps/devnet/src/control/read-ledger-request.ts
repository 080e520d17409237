import { canonicalAddress } from '@forecourt/contracts';
import { isValidTransactionDigest } from '@iota/iota-sdk/utils';
import { InvalidControlRequest } from './invalid-control-request.js';

export type Body = Readonly<Record<string, unknown>>;

/** Every reader throws `InvalidControlRequest` for an invalid value. Absent and null values are undefined. */
export function readBody(body: unknown): Body {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new InvalidControlRequest('the body must be a JSON object');
  }
  return body as Body;
}

/** One of the names of `choices`. */
export function readChoice<T extends string>(
  body: Body,
  field: string,
  choices: Readonly<Record<T, unknown>>,
): T | undefined {
  const value = readText(body, field);
  if (value === undefined || Object.hasOwn(choices, value)) return value as T | undefined;
  throw new InvalidControlRequest(
    `"${field}" must be one of ${Object.keys(choices).join(', ')}, got "${value}"`,
  );
}

export function readText(body: Body, field: string): string | undefined {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && value !== '') return value;
  throw new InvalidControlRequest(`"${field}" must be a non-empty string`);
}

export function readInteger(body: Body, field: string, min: number): number | undefined {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min) return value;
  throw new InvalidControlRequest(`"${field}" must be an integer of at least ${min}`);
}

export function readFlag(body: Body, field: string): boolean | undefined {
  const value = body[field];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value;
  throw new InvalidControlRequest(`"${field}" must be true or false`);
}

/** A required integer. */
export function requireInteger(body: Body, field: string, min: number): number {
  const value = readInteger(body, field, min);
  if (value === undefined) throw new InvalidControlRequest(`"${field}" is missing`);
  return value;
}

const U64_MAX = (1n << 64n) - 1n;
const MAX_COINS = 500;

/** `{"price": 1200}`, number or decimal string. */
export function readGasPrice(body: unknown): bigint {
  return readAmount((body as { price?: unknown } | null | undefined)?.price, 'price', 100_000n);
}

/** `{"owner": "0x…", "amount": "1000", "count": 2}`; `count` is 1 by default. */
export function readMint(body: unknown): { owner: string; amounts: bigint[] } {
  const { owner: text, amount, count } = (body ?? {}) as Record<string, unknown>;
  const owner = canonicalAddress(text);
  if (owner === null) throw new InvalidControlRequest('"owner" must be a hex address');
  const coins = count === undefined ? 1n : readAmount(count, 'count', BigInt(MAX_COINS));
  const each = readAmount(amount, 'amount', U64_MAX);
  return {
    owner,
    amounts: Array.from({ length: Number(coins) }, () => each),
  };
}

/** `{"objectId": "0x…", "digest": "…"}`: the digest is that of the transaction that holds the lock. */
export function readLock(body: unknown): { objectId: string; digest: string } {
  const { objectId: text, digest } = (body ?? {}) as Record<string, unknown>;
  const objectId = canonicalAddress(text);
  if (objectId === null) throw new InvalidControlRequest('"objectId" must be a hex id');
  if (typeof digest !== 'string' || !isValidTransactionDigest(digest)) {
    throw new InvalidControlRequest('"digest" must be a base58 digest');
  }
  return { objectId, digest };
}

function readAmount(value: unknown, field: string, max: bigint): bigint {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  const amount = typeof text === 'string' && /^\d{1,20}$/.test(text) ? BigInt(text) : 0n;
  if (amount >= 1n && amount <= max) return amount;
  throw new InvalidControlRequest(`"${field}" must be an integer from 1 to ${max}`);
}
