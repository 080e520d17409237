import { createPrivateKey, createPublicKey, sign } from 'node:crypto';

/** The key with which an application's backend signs its users' tokens. */
const PRIVATE_KEY = createPrivateKey({
  // PKCS #8 of an Ed25519 key whose 32 bytes are zero: the same in every test file.
  key: Buffer.from(`302e020100300506032b657004220420${'00'.repeat(32)}`, 'hex'),
  format: 'der',
  type: 'pkcs8',
});

/** The entry of a token for users in the file that TOKENS_FILE names. */
export function userKeysEntry(name: string): string {
  const { x } = createPublicKey(PRIVATE_KEY).export({ format: 'jwk' });
  return `  - { name: ${name}, role: sponsor, user-keys: ${x} }`;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A token of one user, as the backend behind this entry signs it. */
export function userToken(issuer: string, user: string, lifeSecs = 60): string {
  const exp = Math.floor(Date.now() / 1_000) + lifeSecs;
  const claims = { iss: issuer, sub: user, exp };
  const signed = `${encode({ alg: 'EdDSA', typ: 'JWT' })}.${encode(claims)}`;
  return `${signed}.${sign(null, Buffer.from(signed), PRIVATE_KEY).toString('base64url')}`;
}
