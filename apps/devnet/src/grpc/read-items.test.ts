import { beforeAll, describe, expect, it } from '@jest/globals';
import { LedgerService } from '@forecourt/ledger/node-messages';
import { status } from '@grpc/grpc-js';
import type { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import { fromBase58, fromHex, toBase58, toHex } from '@iota/iota-sdk/utils';
import { type Coin, coinsOf } from '../testing/paid-transaction.test-support.js';
import { useDevnet } from '../testing/use-devnet.test-support.js';

const { getObjects, getTransactions } = LedgerService.method;
const NOWHERE = `0x${'ab'.repeat(32)}`;
const UNKNOWN = toBase58(new Uint8Array(32).fill(7));
const EVENTS_OF_NONE = '77LzE22kPAbZQHf23e5mRPqQ49Y26Y7WnQZ1iiYogYpN';

describe('reading single items over gRPC', () => {
  const own = useDevnet();
  let key: Ed25519Keypair;
  let coins: Coin[];
  /** Merges the third coin into the second, which deletes it. */
  let digest: string;
  beforeAll(async () => {
    key = await own.devnet.fundedKey();
    coins = await coinsOf(own.devnet, key);
    const transaction = new Transaction();
    transaction.setGasPayment([coins[0]!]);
    transaction.mergeCoins(transaction.objectRef(coins[1]!), [transaction.objectRef(coins[2]!)]);
    ({ digest } = await own.devnet.client.signAndExecuteTransaction({ signer: key, transaction }));
  });

  const objects = async (wantedIds: readonly (readonly [id: string, version?: string])[]) => {
    const requests = wantedIds.map(([id, version]) => ({
      objectRef: {
        objectId: { objectId: fromHex(id) },
        ...(version !== undefined && { version: BigInt(version) }),
      },
    }));
    const answers = await own.grpc.all(getObjects, { requests: { requests } });
    return answers.flatMap((answer) =>
      answer.objects.map(({ result }) =>
        result.case === 'object'
          ? `${toHex(result.value.reference!.objectId!.objectId)}@${result.value.reference!.version}`
          : `${result.value!.code}: ${result.value!.message}`,
      ),
    );
  };
  const transactions = async (digests: readonly string[], paths?: readonly string[]) => {
    const requests = digests.map((each) => ({ digest: { digest: fromBase58(each) } }));
    const answers = await own.grpc.all(getTransactions, {
      requests: { requests },
      ...(paths && { readMask: { paths: [...paths] } }),
    });
    return answers.flatMap(({ transactionResults }) =>
      transactionResults.map(({ result }) => result),
    );
  };

  it('answers objects in the order of the request, each with its own result', async () => {
    const [first, second] = coins as [Coin, Coin];
    const now = String(Number(second.version) + 1);
    const wantedIds = [[second.objectId], [NOWHERE], [first.objectId], [second.objectId]] as const;
    expect(await objects(wantedIds)).toEqual([
      `${second.objectId.slice(2)}@${now}`,
      `5: Object ${NOWHERE} not found`,
      `${first.objectId.slice(2)}@${now}`,
      `${second.objectId.slice(2)}@${now}`,
    ]);
  });

  it('shows a deleted object in its last version only, and names versions that it does not have', async () => {
    const { objectId, version } = coins[2]!;
    const next = String(Number(version) + 1);
    expect(await objects([[objectId], [objectId, version], [objectId, next]])).toEqual([
      `5: Object ${objectId} not found`,
      `${objectId.slice(2)}@${version}`,
      `5: Object ${objectId} at version ${next} not found`,
    ]);
    const [{ objectId: living }] = coins as [Coin];
    expect(
      await objects([
        [living, '1'],
        [living, version],
        [living, '99999'],
      ]),
    ).toEqual([
      `5: Object ${living} at version 1 not found`,
      `${living.slice(2)}@${version}`,
      `5: Object ${living} at version 99999 not found`,
    ]);
  });

  it('answers one empty message to an empty list', async () => {
    const none = await own.grpc.all(getObjects, {});
    expect(none).toEqual([{ $typeName: none[0]!.$typeName, objects: [], hasNext: false }]);
    expect(await own.grpc.all(getTransactions, { requests: {} })).toHaveLength(1);
  });

  it('takes more ids in one call than JSON-RPC does', async () => {
    const wantedIds = Array.from({ length: 200 }, () => [coins[0]!.objectId] as const);
    expect(await objects(wantedIds)).toHaveLength(200);
  });

  it.each([
    [
      { objectRef: { objectId: { objectId: new Uint8Array(31) } } },
      'invalid object_id: error converting from protobuf: field: object_id reason: FIELD_INVALID description: expected 32 bytes',
    ],
    [{ objectRef: {} }, ''],
  ])('refuses a whole call because of one id: %#', async (request, details) => {
    const good = { objectRef: { objectId: { objectId: fromHex(coins[0]!.objectId) } } };
    const call = own.grpc.all(getObjects, { requests: { requests: [good, request] } });
    await expect(call).rejects.toMatchObject({ code: status.INVALID_ARGUMENT, details });
  });

  it('refuses a whole call because of one digest, and of a small message', async () => {
    const requests = { requests: [{ digest: { digest: new Uint8Array(31) } }] };
    await expect(own.grpc.all(getTransactions, { requests })).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: 'invalid digest: Invalid transaction digest.',
    });
    const small = { maxMessageSizeBytes: 1_000 };
    for (const call of [own.grpc.all(getTransactions, small), own.grpc.all(getObjects, small)]) {
      await expect(call).rejects.toMatchObject({ details: 'must be at least 1048576 bytes' });
    }
  });

  it('shows the usual parts of a transaction, with prefixed signatures', async () => {
    const [result] = await transactions([digest]);
    if (result!.case !== 'executedTransaction') throw new Error('not shown');
    const { transaction, signatures, checkpoint, timestamp, effects } = result!.value;
    const options = { showInput: true, showRawInput: true };
    const jsonTransaction = await own.devnet.client.getTransactionBlock({ digest, options });
    expect(toBase58(transaction!.digest!.digest)).toBe(digest);
    expect([String(checkpoint), effects]).toEqual([jsonTransaction.checkpoint, undefined]);
    expect(timestamp).toBeDefined();
    const [signature] = signatures!.signatures;
    expect(signature!.bcs!.data[0]).toBe(97);
    expect(Buffer.from(signature!.bcs!.data.subarray(1)).toString('base64')).toBe(
      jsonTransaction.transaction!.txSignatures[0],
    );
  });

  it('does not find an unknown transaction, unless nothing but its checkpoint is asked for', async () => {
    const missing = { code: status.NOT_FOUND, message: `Transaction ${UNKNOWN} not found` };
    const [found, unknown] = await transactions([digest, UNKNOWN], ['transaction.digest']);
    expect(found!.case).toBe('executedTransaction');
    expect(unknown).toMatchObject({ case: 'error', value: missing });
    for (const paths of [['checkpoint', 'timestamp'], []]) {
      const [result] = await transactions([UNKNOWN], paths);
      expect(result).toEqual({
        case: 'executedTransaction',
        value: { $typeName: 'iota.grpc.v1.transaction.ExecutedTransaction' },
      });
    }
  });

  it('shows an empty list of events with its digest, and the objects before and after', async () => {
    const paths = ['events', 'input_objects.reference', 'output_objects'];
    const [result] = await transactions([digest], paths);
    if (result!.case !== 'executedTransaction') throw new Error('not shown');
    const { events, inputObjects, outputObjects } = result!.value;
    expect(toBase58(events!.digest!.digest)).toBe(EVENTS_OF_NONE);
    expect(events!.events!.events).toEqual([]);
    const idOf = (bytes: Uint8Array) => `0x${toHex(bytes)}`;
    expect(
      inputObjects!.objects.map(({ reference }) => idOf(reference!.objectId!.objectId)),
    ).toEqual(coins.slice(0, 3).map(({ objectId }) => objectId));
    expect(inputObjects!.objects[0]!.bcs).toBeUndefined();
    expect(outputObjects!.objects).toHaveLength(2);
    expect(outputObjects!.objects[0]!.bcs!.data[0]).toBe(0);
  });

  it('shows the changes of newer nodes to newer nodes only', async () => {
    const call = transactions([digest], ['object_changes']);
    await expect(call).rejects.toMatchObject({ details: 'invalid read_mask path: object_changes' });
    const [whole] = await transactions([digest], ['*']);
    expect(whole).toMatchObject({ value: { effects: {}, inputObjects: {} } });
    expect(whole!.value).not.toHaveProperty('objectChanges');
    await own.devnet.control('POST', '/node', { version: '2026' });
    const [newer] = await transactions([digest], ['*']);
    expect(newer!.value).toHaveProperty('objectChanges');
    expect(newer!.value).toHaveProperty('balanceChanges');
    await own.devnet.control('DELETE', '/node');
  });

  it('shows a signature of zeros for transactions of the system', async () => {
    const [genesis] = own.devnet.engine.listTransactions({ limit: 1 });
    const [result] = await transactions([genesis!.digest], ['signatures']);
    expect(result).toMatchObject({
      value: {
        signatures: { signatures: [{ bcs: { data: Buffer.from([97, ...new Uint8Array(97)]) } }] },
      },
    });
  });
});
