import { createPublicKey, type KeyObject } from 'node:crypto';

const KEY = /^[A-Za-z0-9+/_-]{43}=?$/;

/** An Ed25519 public key, 32 bytes in base64 or base64url. Throws `Error` with the required format. */
export function readUserKey(text: string): KeyObject {
  if (!KEY.test(text)) throw new Error('must be an Ed25519 public key, 32 bytes in base64');
  const x = Buffer.from(text, 'base64').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}
