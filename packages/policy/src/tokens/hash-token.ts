import { hash } from 'node:crypto';

/** SHA-256 of a token. Tokens are random, so their hashes need no salt and cannot be reversed by guessing. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
