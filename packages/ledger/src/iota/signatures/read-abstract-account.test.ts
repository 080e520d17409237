import { describe, expect, it } from '@jest/globals';
import { MoveSigner } from '@iota/iota-sdk/keypairs/move-authenticator';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { aTransaction } from '../transactions/transaction.test-support.js';
import { readAbstractAccount } from './user-signatures.js';

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
