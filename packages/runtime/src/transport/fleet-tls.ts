import { constants, createHash, hkdfSync } from 'node:crypto';
import type { ConnectionOptions, TlsOptions } from 'node:tls';

/** What a fleet secret becomes for the connections between services. */
export interface FleetKey {
  /** Names the key to the other end without disclosing it. */
  readonly identity: string;
  readonly key: Buffer;
}

const KEY_BYTES = 32;

/** The key that two ends with the same secret have in common. */
export function deriveFleetKey(secret: string): FleetKey {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'forecourt messages 1', KEY_BYTES));
  const identity = createHash('sha256').update('forecourt key 1').update(key).digest('hex');
  return { identity: identity.slice(0, 16), key };
}

/**
 * How long a connection may take to prove that it belongs to the fleet, in ms; it takes some milliseconds between two
 * machines that are not overloaded.
 */
export const HANDSHAKE_MS = 5_000;

/**
 * TLS with a shared key in place of certificates: either end proves to the other that it holds the key, with fresh
 * numbers from both, and everything after that is encrypted. The key exchange is ephemeral, so that a secret that
 * becomes known later does not open what was recorded. Node has shared keys in TLS 1.2 only.
 */
const SHARED_KEY_TLS = {
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
} as const;

/** The accepting end: any of the secrets will do. */
export function serverTls(secrets: readonly string[]): TlsOptions {
  const keys = new Map(secrets.map(deriveFleetKey).map(({ identity, key }) => [identity, key]));
  return {
    ...SHARED_KEY_TLS,
    handshakeTimeout: HANDSHAKE_MS,
    pskCallback: (_socket, identity) => keys.get(identity) ?? null,
  };
}

/** The connecting end: it uses one secret, and accepts no end that does not hold it. */
export function clientTls(secret: string): ConnectionOptions {
  const { identity, key } = deriveFleetKey(secret);
  return {
    ...SHARED_KEY_TLS,
    pskCallback: () => ({ identity, psk: key }),
    // There are no certificates whose names could be checked: the key alone says who the other end is.
    checkServerIdentity: () => undefined,
  };
}
