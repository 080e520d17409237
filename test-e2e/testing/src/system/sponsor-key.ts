import { createLocalSigner } from '@forecourt/ledger';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { writeSecret } from '@forecourt/resilience/files';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

export interface SponsorKey {
  readonly address: string;
  /** bech32 (`iotaprivkey1…`) or base64 of `flag‖key` */
  readonly secret: string;
}

/** A new random key. */
export function createSponsorKey(): SponsorKey {
  return readSponsorKey(new Ed25519Keypair().getSecretKey());
}

/** Reads a key. Throws `TypeError` for a malformed one. */
export function readSponsorKey(secret: string): SponsorKey {
  return { address: createLocalSigner(secret).address, secret };
}

/**
 * The keys in a file, at least one. Creates the file at first use, with a new key and readable by
 * its owner only. Throws `TypeError` for a malformed key.
 */
export function loadOrCreateSponsorKeys(file: string): SponsorKey[] {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    writeSecret(file, `${createSponsorKey().secret}\n`);
  }
  return readFileSync(file, 'utf8')
    .trim()
    .split(/[,\s]+/)
    .map(readSponsorKey);
}
