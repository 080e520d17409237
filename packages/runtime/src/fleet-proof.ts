import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** The header with which a service proves over plain HTTP that it belongs to the fleet. */
export const FLEET_PROOF_HEADER = 'x-forecourt-proof';

/**
 * A proof is accepted for this time in ms, which also bounds how far the clocks of two services may differ.
 */
const VALID_MS = 120_000;
const PROOF = /^(?<time>\d{1,15})\.(?<proof>[\da-f]{64})$/;

/** The subject of a proof: it is worth nothing for another request. */
export interface ProvenRequest {
  readonly method: string;
  readonly path: string;
  /** As it is sent or was parsed; absent: none. */
  readonly body?: unknown;
}

export function proveFleet(secret: string, request: ProvenRequest, now = Date.now()): string {
  return `${now}.${proofOf(secret, request, now).toString('hex')}`;
}

/** Whether the sender of this request holds one of the secrets. */
export function isProvenBy(
  secrets: readonly string[],
  request: ProvenRequest,
  header: unknown,
  now = Date.now(),
): boolean {
  const { time, proof } = PROOF.exec(typeof header === 'string' ? header : '')?.groups ?? {};
  if (time === undefined || Math.abs(now - Number(time)) > VALID_MS) return false;
  const receivedProof = Buffer.from(proof!, 'hex');
  return secrets.some((secret) =>
    timingSafeEqual(proofOf(secret, request, Number(time)), receivedProof),
  );
}

function proofOf(secret: string, { method, path, body }: ProvenRequest, time: number): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'forecourt requests 1', 32));
  const parts = [time, method, path, body === undefined ? '' : JSON.stringify(body)];
  return createHmac('sha256', key).update(parts.join('\n')).digest();
}
