import { createHash } from 'node:crypto';
import { bcs } from '@iota/iota-sdk/bcs';
import { type Keypair, SIGNATURE_SCHEME_TO_FLAG } from '@iota/iota-sdk/cryptography';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { PasskeyPublicKey } from '@iota/iota-sdk/keypairs/passkey';
import { Secp256k1Keypair } from '@iota/iota-sdk/keypairs/secp256k1';
import { Secp256r1Keypair } from '@iota/iota-sdk/keypairs/secp256r1';
import { MultiSigPublicKey } from '@iota/iota-sdk/multisig';
import { verifyTransactionSignature } from '@iota/iota-sdk/verify';
import { describe, expect, it, jest } from '@jest/globals';
import { transactionIntentDigest } from '../transactions/decoding/transaction-digest.js';
import { aTransaction } from '../transactions/transaction.test-support.js';
import { SignatureVerifier } from './signature-verifier.js';

const { Passkey: PASSKEY, Secp256r1: SECP256R1 } = SIGNATURE_SCHEME_TO_FLAG;
const verifier = new SignatureVerifier();
const keypairs: [string, Keypair][] = [
  ['Ed25519', new Ed25519Keypair()],
  ['Secp256k1', new Secp256k1Keypair()],
  ['Secp256r1', new Secp256r1Keypair()],
];

/** The SDK's result, which follows the ledger's rules. */
const sdkVerdict = (bytes: Uint8Array, signature: string, address: string) =>
  verifyTransactionSignature(bytes, signature, { address }).then(
    () => true,
    () => false,
  );

describe('verifying a transaction signature', () => {
  it.each(keypairs)('accepts %s over these bytes by this signer only', async (_scheme, keypair) => {
    const { bytes } = await aTransaction();
    const { bytes: other } = await aTransaction();
    const { signature } = await keypair.signTransaction(bytes);
    const signer = keypair.toIotaAddress();
    expect(await verifier.verify(bytes, signature, signer)).toBe(true);
    expect(await verifier.verify(other, signature, signer)).toBe(false);
    const stranger = new Ed25519Keypair().toIotaAddress();
    expect(await verifier.verify(bytes, signature, stranger)).toBe(false);
  });

  it('accepts a multisig', async () => {
    const [[, one], [, two]] = keypairs as [[string, Keypair], [string, Keypair]];
    const { bytes } = await aTransaction();
    const publicKey = MultiSigPublicKey.fromPublicKeys({
      threshold: 2,
      publicKeys: [one, two].map((keypair) => ({ publicKey: keypair.getPublicKey(), weight: 1 })),
    });
    const parts = await Promise.all([one, two].map((keypair) => keypair.signTransaction(bytes)));
    const signature = publicKey.combinePartialSignatures(parts.map((part) => part.signature));
    expect(await verifier.verify(bytes, signature, publicKey.toIotaAddress())).toBe(true);
  });

  it.each([
    '',
    'AAAA',
    '!!!',
    Buffer.alloc(97).toString('base64'),
    Buffer.alloc(500, 3).toString('base64'),
  ])('rejects %p as malformed', async (signature) => {
    const { bytes, sender } = await aTransaction();
    expect(await verifier.verify(bytes, signature, sender)).toBe(false);
  });

  it('agrees with the SDK on every tampered byte', async () => {
    const keypair = new Ed25519Keypair();
    const { bytes } = await aTransaction();
    const { signature } = await keypair.signTransaction(bytes);
    const signer = keypair.toIotaAddress();
    for (let index = 0; index < 97; index += 5) {
      const tampered = Buffer.from(signature, 'base64');
      tampered[index]! ^= 0x80;
      const text = tampered.toString('base64');
      expect(await verifier.verify(bytes, text, signer)).toBe(
        await sdkVerdict(bytes, text, signer),
      );
    }
  });

  it('agrees with the SDK on keys of small order and on an S that is not reduced', async () => {
    const { bytes } = await aTransaction();
    const keypair = new Ed25519Keypair();
    const { signature } = await keypair.signTransaction(bytes);
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const unreduced = Buffer.from(signature, 'base64');
    const s = BigInt(`0x${Buffer.from(unreduced.subarray(33, 65)).reverse().toString('hex')}`);
    const larger = (s + order).toString(16).padStart(64, '0');
    Buffer.from(larger, 'hex').reverse().copy(unreduced, 33);
    const smallOrder = Buffer.alloc(97);
    smallOrder[1] = 1;
    smallOrder[65] = 1;
    const { Ed25519PublicKey } = await import('@iota/iota-sdk/keypairs/ed25519');
    const smallSigner = new Ed25519PublicKey(smallOrder.subarray(65)).toIotaAddress();
    for (const [raw, signer] of [
      [unreduced, keypair.toIotaAddress()],
      [smallOrder, smallSigner],
    ] as const) {
      const text = raw.toString('base64');
      const verdict = await sdkVerdict(bytes, text, signer);
      expect(await verifier.verify(bytes, text, signer)).toBe(verdict);
    }
  });
});

describe('second opinions on a signature', () => {
  it('allocate nothing for a multisig whose declared length exceeds its bytes', async () => {
    const { bytes } = await aTransaction();
    // As a length: 33 554 431.
    const claim = Buffer.concat([Buffer.from([3, 0xff, 0xff, 0xff, 0x0f]), Buffer.alloc(400, 1)]);
    const signer = new Ed25519Keypair().toIotaAddress();
    const before = performance.now();
    for (let count = 0; count < 20; count++) {
      expect(await verifier.verify(bytes, claim.toString('base64'), signer)).toBe(false);
    }
    expect(performance.now() - before).toBeLessThan(5_000);
  });
});

/** A passkey's signature over these bytes, whose client data have one more field. */
async function signWithPasskey(bytes: Uint8Array, extra: string) {
  const keypair = new Secp256r1Keypair();
  const challenge = Buffer.from(transactionIntentDigest(bytes)).toString('base64url');
  const clientDataJson = `{"type":"webauthn.get","challenge":"${challenge}","extra":${extra}}`;
  const authenticatorData = new Uint8Array(37);
  const signed = Buffer.concat([authenticatorData, sha256(clientDataJson)]);
  const publicKey = keypair.getPublicKey().toRawBytes();
  const userSignature = Buffer.of(SECP256R1, ...(await keypair.sign(signed)), ...publicKey);
  const body = bcs.PasskeyAuthenticator.serialize({
    authenticatorData,
    clientDataJson,
    userSignature,
  });
  const signature = Buffer.of(PASSKEY, ...body.toBytes());
  return {
    signature: signature.toString('base64'),
    signer: new PasskeyPublicKey(publicKey).toIotaAddress(),
  };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest();

describe('verifying a passkey', () => {
  it('accepts client data with other fields', async () => {
    const { bytes } = await aTransaction();
    for (const extra of ['null', JSON.stringify({ other: 'x'.repeat(40_000) })]) {
      const { signature, signer } = await signWithPasskey(bytes, extra);
      expect(await verifier.verify(bytes, signature, signer)).toBe(true);
    }
  });

  it.each([
    ['nested deeply', `${'['.repeat(12_000)}${']'.repeat(12_000)}`],
    ['made of many values', `[${Array(20_000).fill('1').join()}]`],
    ['made of many fields', `{${Array(10_000).fill('"a":[]').join()}}`],
  ])('does not parse client data that are %s', async (_kind, extra) => {
    const { bytes } = await aTransaction();
    const { signature, signer } = await signWithPasskey(bytes, extra);
    const parse = jest.spyOn(JSON, 'parse');
    expect(await verifier.verify(bytes, signature, signer)).toBe(false);
    expect(parse).not.toHaveBeenCalled();
  });
});
