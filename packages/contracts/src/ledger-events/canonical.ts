import { base58, base64 } from '@scure/base';

const ADDRESS = /^0x[0-9a-f]{1,64}$/i;
const DIGEST_BYTES = 32;

/** An address or object id in the full form, `0x` and 64 lower-case hex digits; null for anything else. */
export function canonicalAddress(value: unknown): string | null {
  if (typeof value !== 'string' || !ADDRESS.test(value)) return null;
  return value.length === 66 && value === value.toLowerCase()
    ? value
    : `0x${value.slice(2).toLowerCase().padStart(64, '0')}`;
}

/** A transaction digest in base64, from base64 or base58; null for anything else. */
export function canonicalDigest(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 64) return null;
  for (const coder of [base64, base58]) {
    try {
      const bytes = coder.decode(value);
      if (bytes.length === DIGEST_BYTES) return base64.encode(bytes);
    } catch {
      // Not in this encoding.
    }
  }
  return null;
}

/** A digest as today's nodes write it. `digest` is base64 of 32 bytes. */
export function digestInBase58(digest: string): string {
  return base58.encode(base64.decode(digest));
}

/** A digest as event records write it. `digest` is base58 of 32 bytes. */
export function digestInBase64(digest: string): string {
  return base64.encode(base58.decode(digest));
}
