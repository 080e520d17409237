import {
  decodeIotaPrivateKey,
  type Keypair,
  type SignatureScheme,
} from '@iota/iota-sdk/cryptography';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Secp256k1Keypair } from '@iota/iota-sdk/keypairs/secp256k1';
import { Secp256r1Keypair } from '@iota/iota-sdk/keypairs/secp256r1';
import { fromBase64 } from '@iota/iota-sdk/utils';
import { OpensslSigner } from './openssl-signer.js';
import { SdkSigner } from './sdk-signer.js';
import type { Signer } from './signer.js';

const SCHEMES: Readonly<Record<number, SignatureScheme>> = {
  0: 'ED25519',
  1: 'Secp256k1',
  2: 'Secp256r1',
};

/**
 * A signer with a key given as text: base64 of `flag‖key`, or bech32 (`iotaprivkey1…`). Throws
 * `TypeError` for any other text; the message never contains the text.
 */
export function createLocalSigner(secret: string): Signer {
  const { scheme, key } = parseSecret(secret.trim());
  const keypair = createKeypair(scheme, key);
  return scheme === 'ED25519' ? new OpensslSigner(keypair, key) : new SdkSigner(keypair);
}

function parseSecret(secret: string): { scheme: SignatureScheme; key: Uint8Array } {
  try {
    if (secret.startsWith('iotaprivkey1')) {
      const { schema, secretKey } = decodeIotaPrivateKey(secret);
      return { scheme: schema, key: secretKey };
    }
    const bytes = fromBase64(secret);
    const scheme = SCHEMES[bytes[0] ?? -1];
    if (scheme && bytes.length === 33) return { scheme, key: bytes.slice(1) };
  } catch {
    // The causes quote the text; the error below does not.
  }
  throw new TypeError(
    'a sponsor key must be base64 of flag‖key (33 bytes) or bech32 (iotaprivkey1…)',
  );
}

function createKeypair(scheme: SignatureScheme, key: Uint8Array): Keypair {
  switch (scheme) {
    case 'ED25519':
      return Ed25519Keypair.fromSecretKey(key);
    case 'Secp256k1':
      return Secp256k1Keypair.fromSecretKey(key);
    case 'Secp256r1':
      return Secp256r1Keypair.fromSecretKey(key);
    default:
      throw new TypeError(`sponsor keys of scheme ${scheme} are not supported`);
  }
}
