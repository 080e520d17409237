import { createHmac } from 'node:crypto';

/** Carries `t=<seconds since 1970>,v1=<hex>`: HMAC-SHA256 with the shared secret over `<t>.<body>`. */
export const SIGNATURE_HEADER = 'x-forecourt-signature';

/** The header's value for a body that is sent at `at`. */
export function signRequest(secret: string, body: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1_000);
  const mac = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${mac}`;
}
