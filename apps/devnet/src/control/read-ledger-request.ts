import { canonicalAddress } from '@forecourt/contracts';
import { isValidTransactionDigest } from '@iota/iota-sdk/utils';
import { InvalidControlRequest } from './read-fields.js';

const U64_MAX = (1n << 64n) - 1n;
const MAX_COINS = 500;

/** `{"price": 1200}`, number or decimal string. */
export function readGasPrice(body: unknown): bigint {
  return readAmount((body as { price?: unknown } | null | undefined)?.price, 'price', 100_000n);
}

/** `{"owner": "0x…", "amount": "1000", "count": 2}`; `count` is 1 by default. */
export function readMint(body: unknown): { owner: string; amounts: bigint[] } {
  const { owner: given, amount, count } = (body ?? {}) as Record<string, unknown>;
  const owner = canonicalAddress(given);
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
  const { objectId: given, digest } = (body ?? {}) as Record<string, unknown>;
  const objectId = canonicalAddress(given);
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
