const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const BASE = 58n;
const DIGEST_BYTES = 32;
/** 32 bytes always have their padding, which base58 never has. */
const BASE64 = /^[A-Za-z0-9+/]{43}=$/;
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/**
 * A digest of 32 bytes in base58, the form of the ledger and the gas station, from either form. Throws
 * `TypeError` for anything else.
 */
export function digestInBase58(digest: string): string {
  const bytes = readDigest(digest);
  let value = bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
  let text = '';
  for (; value > 0n; value /= BASE) text = ALPHABET[Number(value % BASE)]! + text;
  // Each leading zero byte is a separate digit.
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros === -1 ? DIGEST_BYTES : zeros) + text;
}

/**
 * A digest of 32 bytes in base64, the form of event records, from either form. Throws `TypeError` for
 * anything else.
 */
export function digestInBase64(digest: string): string {
  return btoa(String.fromCharCode(...readDigest(digest)));
}

function readDigest(digest: string): number[] {
  if (BASE64.test(digest)) return Array.from(atob(digest), (character) => character.charCodeAt(0));
  const bytes = BASE58.test(digest) ? readBase58(digest) : [];
  if (bytes.length === DIGEST_BYTES) return bytes;
  throw new TypeError(
    `A digest must be ${DIGEST_BYTES} bytes in base58 or base64; got ${JSON.stringify(digest)}`,
  );
}

function readBase58(text: string): number[] {
  let value = 0n;
  for (const digit of text) value = value * BASE + BigInt(ALPHABET.indexOf(digit));
  const bytes: number[] = [];
  for (; value > 0n; value >>= 8n) bytes.unshift(Number(value & 0xffn));
  const zeros = /^1*/.exec(text)![0].length;
  return [...Array<number>(zeros).fill(0), ...bytes];
}
