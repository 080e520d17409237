import { constants, createHash, hkdfSync } from 'node:crypto';

/** The key of connections between services, derived from a fleet secret. */
interface FleetKey {
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

/**
 * Time limit in ms for a connection to prove that it belongs to the fleet; this usually takes a few
 * milliseconds.
 */
export const HANDSHAKE_MS = 5_000;

/**
 * TLS with a pre-shared key instead of certificates: each end proves to the other that it holds the key, and
 * all traffic after that is encrypted. The key exchange is ephemeral, so that a secret that leaks later does
 * not decrypt recorded traffic. Node supports pre-shared keys in TLS 1.2 only.
 */
export const SHARED_KEY_TLS = {
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
} as const;
