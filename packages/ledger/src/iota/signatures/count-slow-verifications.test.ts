import { describe, expect, it } from '@jest/globals';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Secp256k1Keypair } from '@iota/iota-sdk/keypairs/secp256k1';
import { Secp256r1Keypair } from '@iota/iota-sdk/keypairs/secp256r1';
import { MultiSigPublicKey } from '@iota/iota-sdk/multisig';
import { countSlowVerifications } from './user-signatures.js';

const BYTES = new Uint8Array(100);

describe('countSlowVerifications', () => {
  it('returns none for Ed25519, and one for ECDSA', async () => {
    const keys = [new Ed25519Keypair(), new Secp256k1Keypair(), new Secp256r1Keypair()];
    const signed = await Promise.all(keys.map((key) => key.signTransaction(BYTES)));
    const counts = signed.map(({ signature }) => countSlowVerifications(signature));
    expect(counts).toEqual([0, 1, 1]);
  });

  it('counts the signers of a multisig', async () => {
    const keys = Array.from({ length: 3 }, () => new Secp256r1Keypair());
    const publicKeys = keys.map((key) => ({ publicKey: key.getPublicKey(), weight: 1 }));
    const multisig = MultiSigPublicKey.fromPublicKeys({ threshold: 3, publicKeys });
    const signed = await Promise.all(keys.map((key) => key.signTransaction(BYTES)));
    const all = multisig.combinePartialSignatures(signed.map(({ signature }) => signature));
    expect(countSlowVerifications(all)).toBe(3);
  });
});
