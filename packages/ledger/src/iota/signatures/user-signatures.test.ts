import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { MoveSigner } from '@iota/iota-sdk/keypairs/move-authenticator';
import { Secp256k1Keypair } from '@iota/iota-sdk/keypairs/secp256k1';
import { Secp256r1Keypair } from '@iota/iota-sdk/keypairs/secp256r1';
import { MultiSigPublicKey } from '@iota/iota-sdk/multisig';
import { describe, expect, it } from '@jest/globals';
import { aTransaction } from '../transactions/transaction.test-support.js';
import {
  countSlowVerifications,
  findUnsupportedScheme,
  readAbstractAccount,
} from './user-signatures.js';

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

const full = (digit: string) => `0x${digit.repeat(64)}`;
const DIGEST = '1'.repeat(32);
const account = { objectId: full('a'), version: '3', digest: DIGEST };
const clock = { objectId: full('6'), initialSharedVersion: '1', mutable: false };

type Data = ConstructorParameters<typeof MoveSigner>[0];

const signatureOf = (data: Partial<Data>) =>
  new MoveSigner({
    version: 'V1',
    callArgs: [],
    typeArgs: [],
    objectToAuthenticate: { ImmOrOwnedObject: account },
    ...data,
  }).getSignature();

describe('readAbstractAccount', () => {
  it('returns the address and every object that the authenticator names', async () => {
    const callArgs = [
      { Object: { SharedObject: clock } },
      { Pure: { bytes: Buffer.from([7]).toString('base64') } },
    ];
    expect(readAbstractAccount(await signatureOf({ callArgs }))).toEqual({
      address: full('a'),
      immutable: [{ ...account, version: 3 }],
      shared: [{ ...clock, initialSharedVersion: 1 }],
    });
    const objectToAuthenticate = { SharedObject: clock };
    expect(readAbstractAccount(await signatureOf({ objectToAuthenticate }))?.address).toBe(
      full('6'),
    );
  });

  it('accepts neither many objects nor received ones', async () => {
    const many = Array.from({ length: 16 }, () => ({ Object: { SharedObject: clock } }));
    expect(readAbstractAccount(await signatureOf({ callArgs: many }))).toBeNull();
    const callArgs = [{ Object: { Receiving: account } }];
    expect(readAbstractAccount(await signatureOf({ callArgs }))).toBeNull();
  });

  it('returns nothing for other schemes and malformed text', async () => {
    const { bytes } = await aTransaction();
    const { signature } = await new Ed25519Keypair().signTransaction(bytes);
    const claims = Buffer.from([7, 0, 255, 255, 255, 127]).toString('base64');
    for (const one of [signature, '', 'Bw==', claims]) expect(readAbstractAccount(one)).toBeNull();
  });
});
