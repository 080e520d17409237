import { blake2b } from '@noble/hashes/blake2.js';
import { encodeBase58 } from '@forecourt/ledger/base58';

/** `0x` and 64 hex digits of 32 bytes. */
export function toHexId(bytes: Uint8Array): string {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`;
}

/** The 32 bytes of a full id. */
export function fromHexId(id: string): Uint8Array {
  return Buffer.from(id.slice(2), 'hex');
}

/** The full form of an id or address; other text is returned unchanged. */
export function fullId(id: string): string {
  if (id.length === 66 && id.startsWith('0x')) return id.toLowerCase();
  const digits = id.replace(/^0x/i, '').toLowerCase();
  return /^[0-9a-f]{1,64}$/.test(digits) ? `0x${digits.padStart(64, '0')}` : id;
}

const encoder = new TextEncoder();
const scopes = new Map<string, Uint8Array>();

/** BLAKE2b-256. */
export function hash(bytes: Uint8Array): Uint8Array {
  return blake2b(bytes, { dkLen: 32 });
}

/** The ledger's digest of a typed value: base58 of BLAKE2b-256 over `<type>::` and the bytes. */
export function digestOf(type: string, bytes: Uint8Array): string {
  let prefix = scopes.get(type);
  if (!prefix) scopes.set(type, (prefix = encoder.encode(`${type}::`)));
  const message = new Uint8Array(prefix.length + bytes.length);
  message.set(prefix);
  message.set(bytes, prefix.length);
  return encodeBase58(hash(message));
}

/** The same over text, for records that have no wire format here. */
export function digestOfText(type: string, text: string): string {
  return digestOf(type, encoder.encode(text));
}
