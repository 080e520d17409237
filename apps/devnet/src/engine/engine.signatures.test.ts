import { describe, expect, it } from '@jest/globals';
import type { Signer } from '@iota/iota-sdk/cryptography';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Secp256k1Keypair } from '@iota/iota-sdk/keypairs/secp256k1';
import { Secp256r1Keypair } from '@iota/iota-sdk/keypairs/secp256r1';
import { MultiSigPublicKey } from '@iota/iota-sdk/multisig';
import { fromBase64, toBase64 } from '@iota/iota-sdk/utils';
import { verifyTransactionSignature } from '@iota/iota-sdk/verify';
import { COIN, refusalOf, sign, TestChain } from './test-chain.test-support.js';

const schemes: [string, () => Signer & { toIotaAddress(): string }][] = [
  ['ed25519', () => new Ed25519Keypair()],
  ['secp256k1', () => new Secp256k1Keypair()],
  ['secp256r1', () => new Secp256r1Keypair()],
];

describe('signatures', () => {
  it.each(schemes)('of %s are accepted, and refused once the bytes differ', async (_, make) => {
    const chain = new TestChain();
    const signer = make();
    const address = signer.toIotaAddress();
    const { coins } = await chain.engine.mint(address, [COIN, COIN]);
    const bytes = await chain.build(() => undefined, { sender: address, gas: [coins[0]!] });
    const others = await chain.build(() => undefined, { sender: address, gas: [coins[1]!] });
    const signature = await sign(signer, bytes);

    expect(await refusalOf(chain.engine.submit(others, [signature]))).toMatch(
      /^Invalid user signature: Signature is not valid: /,
    );
    const executed = await chain.engine.submit(bytes, [signature]);
    expect(executed.effects.status.status).toBe('success');
  });

  it('of a multisig are accepted from its threshold on', async () => {
    const chain = new TestChain();
    const keys = [new Ed25519Keypair(), new Secp256k1Keypair(), new Secp256r1Keypair()];
    const group = MultiSigPublicKey.fromPublicKeys({
      threshold: 2,
      publicKeys: keys.map((key) => ({ publicKey: key.getPublicKey(), weight: 1 })),
    });
    const sender = group.toIotaAddress();
    const { coins } = await chain.engine.mint(sender, [COIN]);
    const bytes = await chain.build(() => undefined, { sender, gas: coins });
    const parts = await Promise.all(keys.map((key) => sign(key, bytes)));

    const tooFew = group.combinePartialSignatures(parts.slice(0, 1));
    expect(await refusalOf(chain.engine.submit(bytes, [tooFew]))).toMatch(/Signature is not valid/);
    const enough = group.combinePartialSignatures(parts.slice(1));
    const executed = await chain.engine.submit(bytes, [enough]);
    expect(executed.effects.status.status).toBe('success');
  });

  it('of sender and gas owner are required, in any order, without a third', async () => {
    const chain = new TestChain();
    const sponsor = await chain.account(COIN);
    const user = new Ed25519Keypair();
    const stranger = new Ed25519Keypair();
    const bytes = await chain.build(() => undefined, {
      sender: user.toIotaAddress(),
      gasOwner: sponsor.address,
      gas: sponsor.coins,
    });
    const users = await sign(user, bytes);
    const sponsors = await sign(sponsor.keypair, bytes);
    const strangers = await sign(stranger, bytes);
    const { engine } = chain;

    const one = 'Invalid user signature: Expect 2 signer signatures but got 1';
    expect(await refusalOf(engine.submit(bytes, [users]))).toBe(one);
    expect(await refusalOf(engine.submit(bytes, [sponsors]))).toBe(one);
    expect(await refusalOf(engine.submit(bytes, [users, users]))).toContain(
      `Required Signature from ${sponsor.address} is absent`,
    );
    expect(await refusalOf(engine.submit(bytes, [strangers, sponsors]))).toContain(
      `Required Signature from ${user.toIotaAddress()} is absent`,
    );
    expect(await refusalOf(engine.submit(bytes, [users, sponsors, strangers]))).toContain(
      'Expect 2 signer signatures but got 3',
    );
    const executed = await engine.submit(bytes, [sponsors, users]);
    expect(executed.signatures).toEqual([sponsors, users]);
  });

  it('are refused by the SDK as well when tampered with', async () => {
    const chain = new TestChain();
    const alice = await chain.account(COIN);
    const bytes = await chain.build(() => undefined, { sender: alice.address, gas: alice.coins });
    const valid = fromBase64(await sign(alice.keypair, bytes));
    const order = Buffer.from(
      'edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010',
      'hex',
    );
    const tampered: Uint8Array[] = [
      valid.subarray(0, 96),
      Buffer.concat([valid, Buffer.of(0)]),
      Buffer.concat([Buffer.of(9), valid.subarray(1)]),
      Buffer.alloc(97),
      addToScalar(valid, order),
      ...[1, 33, 64, 65, 96].map((position) => flip(valid, position)),
    ];
    for (const each of tampered) {
      const signature = toBase64(each);
      await expect(
        verifyTransactionSignature(bytes, signature, { address: alice.address }),
      ).rejects.toThrow();
      expect(await refusalOf(chain.engine.submit(bytes, [signature]))).toMatch(
        /^Invalid (user signature: |signature was given to the function$)/,
      );
    }
    await expect(chain.engine.submit(bytes, ['not base64!'])).rejects.toMatchObject({
      code: -32602,
      message: 'Invalid params: Invalid value was given to the function at line 1 column 15',
    });
    await expect(
      chain.engine.submit(bytes, [toBase64(valid.subarray(0, 96))]),
    ).rejects.toMatchObject({ code: -32602 });
    expect(await refusalOf(chain.engine.submit(bytes, [toBase64(flip(valid, 1))]))).toBe(
      'Invalid user signature: Signature is not valid: ' +
        'Fail to verify user sig Invalid signature was given to the function',
    );
    expect(
      await refusalOf(chain.engine.submit(bytes, [toBase64(Buffer.of(7, 0, 0, 0, 0))])),
    ).toMatch(/^Invalid user signature: Signature is not valid: /);
    await chain.engine.submit(bytes, [toBase64(valid)]);
  });
});

function flip(bytes: Uint8Array, position: number): Uint8Array {
  const flipped = Uint8Array.from(bytes);
  flipped[position]! ^= 1;
  return flipped;
}

/** The same signature with the group's order added to `s`: equal modulo the order, yet not canonical. */
function addToScalar(signature: Uint8Array, order: Uint8Array): Uint8Array {
  const changed = Uint8Array.from(signature);
  let carry = 0;
  for (let index = 0; index < 32; index++) {
    const sum = changed[33 + index]! + order[index]! + carry;
    changed[33 + index] = sum & 255;
    carry = sum >> 8;
  }
  return changed;
}
