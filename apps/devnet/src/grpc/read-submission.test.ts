import { anyUnpack } from '@bufbuild/protobuf/wkt';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { BadRequestSchema, type Status } from '@forecourt/ledger/node-messages';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { fromBase58, fromBase64, toBase58 } from '@iota/iota-sdk/utils';
import { status } from '@grpc/grpc-js';
import { type Item, refusalOfItem, signatureBcs } from '../testing/execute-item.test-support.js';
import {
  buildPaid,
  type Coin,
  coinsOf,
  signedItem,
} from '../testing/paid-transaction.test-support.js';
import { useDevnet } from '../testing/use-devnet.test-support.js';

const NO_DIGEST = toBase58(new Uint8Array(32).fill(9));

describe('a submission that nodes cannot read, or that is not signed well', () => {
  const own = useDevnet();
  let sender: Ed25519Keypair;
  let other: Ed25519Keypair;
  let othersCoin: Coin;
  beforeAll(async () => {
    other = await own.devnet.fundedKey();
    [othersCoin] = (await coinsOf(own.devnet, other)) as [Coin];
  });
  beforeEach(async () => {
    sender = await own.devnet.fundedKey();
  });

  const errorOf = (item: Item) => refusalOfItem(own.grpc, item);
  const violationsOf = ({ details }: Status) =>
    details.flatMap((one) => anyUnpack(one, BadRequestSchema)!.fieldViolations);

  it('counts the signatures, and names the signer whose signature is absent', async () => {
    const sponsored = await buildPaid(own.devnet, sender, (tx) => {
      tx.setGasOwner(other.toIotaAddress());
      tx.setGasPayment([othersCoin]);
    });
    for (const signers of [[], [sender], [sender, other, sender]]) {
      expect(await errorOf(await signedItem(sponsored, ...signers))).toMatchObject({
        code: status.INVALID_ARGUMENT,
        message: `Invalid user signature: Expect 2 signer signatures but got ${signers.length}`,
        details: [],
      });
    }
    const stranger = new Ed25519Keypair();
    const { message } = await errorOf(await signedItem(sponsored, stranger, other));
    expect(message).toBe(
      `Invalid user signature: Required Signature from ${sender.toIotaAddress()} is absent ` +
        `["${stranger.toIotaAddress()}", "${other.toIotaAddress()}"]`,
    );
  });

  it('reports a corrupt signature', async () => {
    const item = await signedItem(await buildPaid(own.devnet, sender), sender);
    item.signatures.signatures[0]!.bcs.data[5]! ^= 1;
    expect((await errorOf(item)).message).toBe(
      'Invalid user signature: Signature is not valid: Fail to verify user sig Invalid signature was given to the function',
    );
  });

  it.each<[string, (signature: string) => Uint8Array, string]>([
    ['no length', fromBase64, 'missing signature scheme flag'],
    [
      'an unknown scheme',
      () => Uint8Array.of(97, 9, ...new Uint8Array(96)),
      'invalid signature scheme: 09',
    ],
    ['a wrong length', () => Uint8Array.of(3, 0, 1, 2), 'invalid ed25519 signature'],
  ])('refuses to read a signature with %s', async (_title, change, fault) => {
    const bytes = await buildPaid(own.devnet, sender);
    const { signature } = await sender.signTransaction(bytes);
    const error = await errorOf({
      transaction: { bcs: { data: bytes } },
      signatures: { signatures: [{ bcs: { data: change(signature) } }] },
    });
    const description = `invalid signature: error deserializing bytes: ${fault}`;
    expect(error).toMatchObject({ code: status.INVALID_ARGUMENT, message: description });
    expect(violationsOf(error)).toMatchObject([
      { field: 'signatures[0]', description, reason: 'FIELD_INVALID' },
    ]);
  });

  it('refuses bytes behind a signature, and a signature that is cut off', async () => {
    const bytes = await buildPaid(own.devnet, sender);
    const { signature } = await sender.signTransaction(bytes);
    const whole = signatureBcs(signature);
    for (const [data, fault] of [
      [Uint8Array.of(...whole, 0), 'remaining input'],
      [whole.subarray(0, 50), 'unexpected end of input'],
      [new Uint8Array(), 'unexpected end of input'],
    ] as const) {
      const error = await errorOf({
        transaction: { bcs: { data: bytes } },
        signatures: { signatures: [{ bcs: { data } }] },
      });
      expect(error.message).toBe(`invalid signature: ${fault}`);
    }
  });

  it.each<[string, (item: Item) => Item, string, string]>([
    ['signatures', ({ transaction }) => ({ transaction: transaction! }), 'signatures', ''],
    ['the transaction', ({ signatures }) => ({ signatures: signatures! }), 'transaction', ''],
    [
      'its BCS',
      ({ signatures }) => ({ signatures: signatures!, transaction: {} }),
      'transaction.bcs',
      'transaction BCS is required',
    ],
  ])('names what is missing: %s', async (_title, change, field, description) => {
    const item = await signedItem(await buildPaid(own.devnet, sender), sender);
    const error = await errorOf(change(item));
    expect(error).toMatchObject({ code: status.INVALID_ARGUMENT, message: description });
    expect(error.details[0]!.typeUrl).toBe('/google.rpc.BadRequest');
    expect(violationsOf(error)).toMatchObject([{ field, description, reason: 'FIELD_MISSING' }]);
  });

  it.each<[string, (bytes: Uint8Array) => Uint8Array, string]>([
    [
      'other bytes',
      () => Buffer.from('garbage'),
      'invalid value: integer `103`, expected variant index 0 <= i < 1',
    ],
    ['another byte', (bytes) => Uint8Array.of(...bytes, 0), 'remaining input'],
    ['a part', (bytes) => bytes.subarray(0, 40), 'unexpected end of input'],
  ])('refuses bytes that are not a transaction: %s', async (_title, change, fault) => {
    const data = change(await buildPaid(own.devnet, sender));
    const error = await errorOf({ transaction: { bcs: { data } }, signatures: {} });
    const description = `invalid transaction BCS: ${fault}`;
    expect(error).toMatchObject({ code: status.INVALID_ARGUMENT, message: description });
    expect(violationsOf(error)).toMatchObject([
      { field: 'transaction.bcs', description, reason: 'FIELD_INVALID' },
    ]);
  });

  it('compares a digest that is given', async () => {
    const bytes = await buildPaid(own.devnet, sender);
    const item = await signedItem(bytes, sender);
    const digest = { digest: fromBase58(NO_DIGEST) };
    const error = await errorOf({ ...item, transaction: { ...item.transaction, digest } });
    expect(error.message).toMatch(
      new RegExp(
        `^provided digest does not match computed digest: provided=${NO_DIGEST}, computed=\\w+$`,
      ),
    );
    expect(violationsOf(error)).toMatchObject([{ field: 'transaction.digest' }]);
  });
});
