import { sign } from 'node:crypto';
import type { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import type { Application } from '../support/application.js';
import { system, USER_KEYS } from '../support/systems/token-system.js';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The application of one user, with a token from the backend of `shop-users`. */
export function userOfShop(user: Ed25519Keypair, lifeSecs = 60): Application {
  const exp = Math.floor(Date.now() / 1_000) + lifeSecs;
  const claims = { iss: 'shop-users', sub: user.toIotaAddress(), exp };
  const signed = `${encode({ alg: 'EdDSA', typ: 'JWT' })}.${encode(claims)}`;
  const signature = sign(null, Buffer.from(signed), USER_KEYS.privateKey).toString('base64url');
  return { ...system.application, token: `${signed}.${signature}` };
}
