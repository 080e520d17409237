import { describe, expect, it } from '@jest/globals';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { MultiSigPublicKey } from '@iota/iota-sdk/multisig';
import { findUnsupportedScheme } from './user-signatures.js';
import { aTransaction } from '../transactions/transaction.test-support.js';

async function aMultisig(): Promise<Buffer> {
  const { bytes } = await aTransaction();
  const keypairs = [new Ed25519Keypair(), new Ed25519Keypair()];
  const publicKey = MultiSigPublicKey.fromPublicKeys({
    threshold: 2,
    publicKeys: keypairs.map((keypair) => ({ publicKey: keypair.getPublicKey(), weight: 1 })),
  });
  const parts = await Promise.all(keypairs.map((keypair) => keypair.signTransaction(bytes)));
  const signature = publicKey.combinePartialSignatures(parts.map((part) => part.signature));
  return Buffer.from(signature, 'base64');
}

describe('findUnsupportedScheme', () => {
  it('names MoveAuthenticator', () => {
    const signature = Buffer.from([7, 0, 0, 0]).toString('base64');
    expect(findUnsupportedScheme(signature)).toContain('MoveAuthenticator');
  });

  it('names a passkey among the members of a multisig, the second too', async () => {
    const multisig = await aMultisig();
    for (const member of [0, 1]) {
      const altered = Buffer.from(multisig);
      altered[2 + member * 65] = 4;
      expect(findUnsupportedScheme(altered.toString('base64'))).toContain('passkey');
    }
  });

  it('returns nothing for supported signatures and for malformed ones', async () => {
    const { bytes } = await aTransaction();
    const { signature } = await new Ed25519Keypair().signTransaction(bytes);
    const others = ['', 'AAAA', Buffer.from([3]), Buffer.from([3, 200, 0])];
    for (const one of [signature, (await aMultisig()).toString('base64'), ...others]) {
      expect(
        findUnsupportedScheme(typeof one === 'string' ? one : one.toString('base64')),
      ).toBeNull();
    }
  });
});
