import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { decodeIotaPrivateKey } from '@iota/iota-sdk/cryptography';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface SponsorKey {
  readonly address: string;
  /** bech32, `iotaprivkey1…` */
  readonly secret: string;
}

/** A new key that nobody has seen. */
export function createSponsorKey(): SponsorKey {
  const pair = new Ed25519Keypair();
  return { address: pair.toIotaAddress(), secret: pair.getSecretKey() };
}

/** The key in a file, made at the first use and readable by its owner only. */
export function keepSponsorKey(file: string): SponsorKey {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${createSponsorKey().secret}\n`, { mode: 0o600 });
  }
  return readSponsorKey(readFileSync(file, 'utf8').trim());
}

/** Only Ed25519, which is what is made here. */
function readSponsorKey(secret: string): SponsorKey {
  const { schema, secretKey } = decodeIotaPrivateKey(secret);
  if (schema !== 'ED25519') throw new Error(`the sponsor's key is of scheme ${schema}`);
  return { address: Ed25519Keypair.fromSecretKey(secretKey).toIotaAddress(), secret };
}
