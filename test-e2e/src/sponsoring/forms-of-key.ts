import { decodeIotaPrivateKey } from '@iota/iota-sdk/cryptography';

/** The texts in which a key may appear. */
export function formsOf(secret: string): string[] {
  const { secretKey } = decodeIotaPrivateKey(secret);
  const flagged = Buffer.concat([Buffer.of(0), secretKey]);
  const encodings = ['hex', 'base64', 'base64url'] as const;
  const texts = [Buffer.from(secretKey), flagged].flatMap((key) =>
    encodings.map((encoding) => key.toString(encoding).replace(/=+$/, '')),
  );
  return [secret, ...texts];
}
