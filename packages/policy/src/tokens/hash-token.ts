import { hash } from 'node:crypto';

/** SHA-256 of a token. Tokens are random, so that their hashes need no salt and cannot be guessed back. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
