import { constants, createHash, hkdfSync } from 'node:crypto';
import type { ConnectionOptions, TlsOptions } from 'node:tls';

/** The key of connections between services, derived from a fleet secret. */
export interface FleetKey {
  /** Names the key to the other end without disclosing it. */
  readonly identity: string;
  readonly key: Buffer;
}

const KEY_BYTES = 32;

/** Two ends with the same secret derive the same key. */
export function deriveFleetKey(secret: string): FleetKey {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'forecourt messages 1', KEY_BYTES));
  const identity = createHash('sha256').update('forecourt key 1').update(key).digest('hex');
  return { identity: identity.slice(0, 16), key };
}

/** Time limit in ms for a connection to prove that it belongs to the fleet; this usually takes a few milliseconds. */
export const HANDSHAKE_MS = 5_000;

/**
 * TLS with a pre-shared key instead of certificates: each end proves to the other that it holds the key, and all traffic
 * after that is encrypted. The key exchange is ephemeral, so that a secret that leaks later does not decrypt recorded
 * traffic. Node supports pre-shared keys in TLS 1.2 only.
 */
const SHARED_KEY_TLS = {
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
} as const;

/** The accepting end; it accepts each of the secrets. */
export function serverTls(secrets: readonly string[]): TlsOptions {
  const keys = new Map(secrets.map(deriveFleetKey).map(({ identity, key }) => [identity, key]));
  return {
    ...SHARED_KEY_TLS,
    handshakeTimeout: HANDSHAKE_MS,
    pskCallback: (_socket, identity) => keys.get(identity) ?? null,
  };
}

/** The connecting end; it uses one secret, and rejects an end that does not hold it. */
export function clientTls(secret: string): ConnectionOptions {
  const { identity, key } = deriveFleetKey(secret);
  return {
    ...SHARED_KEY_TLS,
    pskCallback: () => ({ identity, psk: key }),
    // There is no certificate whose name could be checked: the key alone identifies the other end.
    checkServerIdentity: () => undefined,
  };
}
