import { createHash, hkdfSync } from 'node:crypto';

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
