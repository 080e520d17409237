import { createHash } from 'node:crypto';

/** SHA-256 of a token. Tokens are random, so that their hashes need no salt and cannot be guessed back. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
