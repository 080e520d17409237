import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { decodeIotaPrivateKey, type Keypair } from '@iota/iota-sdk/cryptography';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Secp256k1Keypair } from '@iota/iota-sdk/keypairs/secp256k1';
import { Secp256r1Keypair } from '@iota/iota-sdk/keypairs/secp256r1';
import { aTransaction } from './iota/transactions/transaction.test-support.js';
import { createLocalSigner } from './create-local-signer.js';

const schemes: [string, number, Keypair][] = [
  ['Ed25519', 0, new Ed25519Keypair()],
  ['Secp256k1', 1, new Secp256k1Keypair()],
  ['Secp256r1', 2, new Secp256r1Keypair()],
];

describe('a local signer', () => {
  it.each(schemes)(
    'signs with %s as the SDK does, from either form of the key',
    async (_name, flag, keypair) => {
      const { bytes } = await aTransaction();
      const bech32 = keypair.getSecretKey();
      const raw = Buffer.from(decodeIotaPrivateKey(bech32).secretKey);
      const base64 = Buffer.concat([Buffer.of(flag), raw]).toString('base64');
      for (const secret of [bech32, base64, ` ${base64}\n`]) {
        const signer = createLocalSigner(secret);
        expect(signer.address).toBe(keypair.toIotaAddress());
        const { signature } = await keypair.signTransaction(bytes);
        expect(await signer.signTransaction(bytes)).toBe(signature);
        await expect(signer.check()).resolves.toBeUndefined();
      }
    },
  );

  it.each([
    '',
    'secret-text',
    'iotaprivkey1secret-text',
    Buffer.alloc(32).toString('base64'),
    Buffer.alloc(33, 9).toString('base64'),
  ])('refuses %p without repeating it', (secret) => {
    let message = '';
    try {
      createLocalSigner(secret);
    } catch (error) {
      message = inspect(error);
    }
    expect(message).toContain('a sponsor key must be');
    if (secret) expect(message).not.toContain(secret);
  });

  it('never shows its key', () => {
    const keypair = new Ed25519Keypair();
    const signer = createLocalSigner(keypair.getSecretKey());
    const seed = Buffer.from(decodeIotaPrivateKey(keypair.getSecretKey()).secretKey);
    const texts = [
      inspect(signer, { depth: 9, showHidden: true }),
      JSON.stringify(signer),
      `${signer as unknown as string}`,
    ];
    for (const text of texts) {
      expect(text).not.toContain(seed.toString('hex'));
      expect(text).not.toContain(seed.toString('base64'));
      expect(text).not.toContain(keypair.getSecretKey());
    }
  });
});
