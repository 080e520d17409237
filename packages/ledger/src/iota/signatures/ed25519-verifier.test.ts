import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { describe, expect, it } from '@jest/globals';
import { transactionIntentDigest } from '../transactions/decoding/transaction-digest.js';
import { aTransaction } from '../transactions/transaction.test-support.js';
import { Ed25519Verifier } from './ed25519-verifier.js';

/** A signer's message, its serialized signature, and the address. */
async function sign(keypair = new Ed25519Keypair()) {
  const { bytes } = await aTransaction();
  const { signature } = await keypair.signTransaction(bytes);
  return {
    message: transactionIntentDigest(bytes),
    serialized: Buffer.from(signature, 'base64'),
    signer: keypair.toIotaAddress(),
  };
}

describe('verifying Ed25519 with OpenSSL', () => {
  it('accepts a signature over this message by this signer only, without a second opinion', async () => {
    const verifier = new Ed25519Verifier();
    const { message, serialized, signer } = await sign();
    const other = await sign();
    expect(verifier.verify(message, serialized, signer)).toBe(true);
    expect(verifier.verify(other.message, serialized, signer)).toBe(false);
    expect(verifier.verify(message, serialized, other.signer)).toBe(false);
    expect(verifier.verify(message, other.serialized, signer)).toBe(false);
    expect(verifier.verify(message, serialized.subarray(0, -1), signer)).toBe(false);
  });

  it('verifies signers whose cached keys were dropped', async () => {
    const verifier = new Ed25519Verifier(1);
    const signed = [await sign(), await sign()];
    for (const { message, serialized, signer } of [...signed, ...signed]) {
      expect(verifier.verify(message, serialized, signer)).toBe(true);
    }
  });
});
