import { KeyServiceError } from '../key-service-error.js';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const INTEGER_BYTES = 32;

/**
 * `r‖s` of a DER signature over secp256k1, in the form with the smaller s: services answer either form.
 * Throws `KeyServiceError` for anything but one strictly encoded signature.
 */
export function readDerSignature(der: Uint8Array): Uint8Array {
  const bytes = Buffer.from(der);
  if (bytes[0] !== 0x30 || bytes[1] !== bytes.length - 2) throw malformed();
  const [r, afterR] = readInteger(bytes, 2);
  const [s, end] = readInteger(bytes, afterR);
  if (end !== bytes.length) throw malformed();
  return joinSignature(r, s);
}

/** `r‖s` in the form with the smaller s, from `r‖s` in either form. Throws `KeyServiceError`. */
export function lowerS(signature: Uint8Array): Uint8Array {
  const hex = Buffer.from(signature).toString('hex');
  if (hex.length !== 4 * INTEGER_BYTES) throw malformed();
  const half = 2 * INTEGER_BYTES;
  return joinSignature(BigInt(`0x${hex.slice(0, half)}`), BigInt(`0x${hex.slice(half)}`));
}

function joinSignature(r: bigint, s: bigint): Uint8Array {
  if (r <= 0n || r >= ORDER || s <= 0n || s >= ORDER) throw malformed();
  const lower = s > ORDER / 2n ? ORDER - s : s;
  const hex = [r, lower].map((value) => value.toString(16).padStart(2 * INTEGER_BYTES, '0'));
  return Buffer.from(hex.join(''), 'hex');
}

/** A positive integer in its shortest form, and the position after it. */
function readInteger(bytes: Buffer, offset: number): readonly [bigint, number] {
  const length = bytes[offset + 1] ?? 0;
  const end = offset + 2 + length;
  const value = bytes.subarray(offset + 2, end);
  const isPadded = value[0] === 0 && length > 1;
  if (bytes[offset] !== 0x02 || length === 0 || value.length !== length) throw malformed();
  if (value[0]! >= 0x80 || (isPadded && value[1]! < 0x80)) throw malformed();
  return [BigInt(`0x${value.toString('hex')}`), end];
}

function malformed(): KeyServiceError {
  return new KeyServiceError(
    'malformed',
    'the signature is not strict DER, or not one of secp256k1',
  );
}
