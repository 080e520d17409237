import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  LedgerService,
  type SimulateTransactionResult,
  StateService,
  TransactionExecutionService,
} from '@forecourt/node-messages';
import { bcs } from '@iota/iota-sdk/bcs';
import { Transaction } from '@iota/iota-sdk/transactions';
import { fromBase58, fromHex, toBase58, toHex } from '@iota/iota-sdk/utils';
import { status } from '@grpc/grpc-js';
import { executeItem } from '../testing/execute-item.test-support.js';
import { GrpcTestClient } from '../testing/grpc-client.test-support.js';
import { type SignedTransfer, signedTransfer } from '../testing/signed-transfer.test-support.js';
import { startTestDevnet, type TestDevnet } from '../testing/start-test-devnet.test-support.js';

const { executeTransactions, simulateTransactions } = TransactionExecutionService.method;
const { getEpoch, getServiceInfo, getTransactions } = LedgerService.method;

describe('gRPC', () => {
  let devnet: TestDevnet;
  let client: GrpcTestClient;
  beforeAll(async () => {
    devnet = await startTestDevnet();
    client = new GrpcTestClient(devnet.urls.grpc!);
  });
  afterEach(() => devnet.control('DELETE', '/faults'));
  afterAll(async () => {
    client.close();
    await devnet.stop();
  });

  const executeOne = async (signed: SignedTransfer, extra = {}) => {
    const answer = await client.unary(executeTransactions, {
      transactions: [executeItem(signed)],
      ...extra,
    });
    return answer.transactionResults[0]!.result;
  };

  it('names the chain, its newest checkpoint and the oldest ones that it has', async () => {
    const info = await client.unary(getServiceInfo, {});
    expect(toHex(info.chainId!.digest.slice(0, 4))).toBe(devnet.chainIdentifier);
    expect(info.lowestAvailableCheckpoint).toBe(0n);
    const latest = await devnet.client.getLatestCheckpointSequenceNumber();
    expect(info.executedCheckpointHeight).toBe(BigInt(latest));
    expect(info.server).toBeUndefined();
  });

  it('answers what a read mask asks for, and refuses unknown paths', async () => {
    const paths = ['reference_gas_price', 'protocol_config.attributes'];
    const { epoch } = await client.unary(getEpoch, { readMask: { paths } });
    expect(epoch!.referenceGasPrice).toBe(1_000n);
    expect(epoch!.epoch).toBeUndefined();
    expect(epoch!.protocolConfig!.protocolVersion).toBeUndefined();
    expect(epoch!.protocolConfig!.attributes!.attributes['max_tx_gas']).toBe('50000000000');
    const unknown = client.unary(getEpoch, { readMask: { paths: ['epoc'] } });
    await expect(unknown).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
  });

  it('lists coins page by page, with the references that JSON-RPC shows', async () => {
    const key = await devnet.fundedKey();
    const owner = key.toIotaAddress();
    const { data } = await devnet.client.getCoins({ owner });
    const first = await client.unary(StateService.method.listOwnedObjects, {
      owner: { address: fromHex(owner) },
      objectType: '0x2::coin::Coin<0x2::iota::IOTA>',
      pageSize: 3,
    });
    const second = await client.unary(StateService.method.listOwnedObjects, {
      owner: { address: fromHex(owner) },
      objectType: '0x2::coin::Coin',
      pageToken: first.nextPageToken!,
    });
    expect(first.objects).toHaveLength(3);
    expect(second.nextPageToken).toBeUndefined();
    const shown = [...first.objects, ...second.objects].map(({ reference }) => ({
      coinObjectId: `0x${toHex(reference!.objectId!.objectId)}`,
      version: String(reference!.version),
      digest: toBase58(reference!.digest!.digest),
    }));
    expect(data).toMatchObject(shown);
  });

  it('executes, and shows what JSON-RPC shows of the transaction', async () => {
    const signed = await signedTransfer(devnet);
    const result = await executeOne(signed, {
      checkpointInclusionTimeoutMs: 1_000n,
      readMask: { paths: ['*'] },
    });
    if (result.case !== 'executedTransaction') throw new Error(JSON.stringify(result));
    const { transaction, effects, checkpoint, inputObjects, outputObjects } = result.value;
    const digest = toBase58(transaction!.digest!.digest);
    const options = { showRawEffects: true, showEffects: true };
    const shown = await devnet.client.getTransactionBlock({ digest, options });
    expect(checkpoint).toBe(BigInt(shown.checkpoint!));
    expect([...effects!.bcs!.data]).toEqual(shown.rawEffects);
    expect(bcs.TransactionEffects.parse(effects!.bcs!.data).V1.transactionDigest).toBe(digest);
    expect(inputObjects!.objects).toHaveLength(shown.effects!.modifiedAtVersions!.length);
    const written = [...(shown.effects!.created ?? []), ...shown.effects!.mutated!];
    expect(
      outputObjects!.objects.map(({ reference }) => toBase58(reference!.digest!.digest)),
    ).toEqual(written.map(({ reference }) => reference.digest));
    const [read] = await client.all(getTransactions, {
      requests: {
        requests: [
          { digest: transaction!.digest! },
          { digest: { digest: fromBase58('1'.repeat(32)) } },
        ],
      },
    });
    expect(read!.transactionResults[0]!.result).toMatchObject({
      case: 'executedTransaction',
      value: { transaction: { digest: transaction!.digest }, checkpoint },
    });
    expect(read!.transactionResults[1]!.result).toMatchObject({
      case: 'error',
      value: { code: status.NOT_FOUND },
    });
  });

  it('executes several transactions, each with its own result', async () => {
    const [one, other] = [await signedTransfer(devnet), await signedTransfer(devnet)];
    const broken = { ...executeItem(one), transaction: { bcs: { data: Uint8Array.of(1, 2) } } };
    const { transactionResults } = await client.unary(executeTransactions, {
      transactions: [executeItem(one), broken, executeItem(other)],
      readMask: { paths: ['transaction.digest'] },
    });
    const shown = transactionResults.map(({ result }) =>
      result.case === 'executedTransaction'
        ? toBase58(result.value.transaction!.digest!.digest)
        : result.value!.code,
    );
    expect(shown).toEqual([one.digest, status.INVALID_ARGUMENT, other.digest]);
  });

  it('simulates without signatures, and takes a budget of 0 as the largest one', async () => {
    const tx = new Transaction();
    const sender = await devnet.fundedKey();
    tx.transferObjects([tx.splitCoins(tx.gas, [1])[0]], sender.toIotaAddress());
    tx.setSender(sender.toIotaAddress());
    tx.setGasPayment([]);
    tx.setGasPrice(1_000);
    tx.setGasBudget(0);
    const data = await tx.build({ client: devnet.client });
    const simulate = (txChecks: [] | [0]) =>
      client.unary(simulateTransactions, {
        transactions: [{ transaction: { bcs: { data } }, txChecks }],
      });
    const [{ result }] = (await simulate([0])).transactionResults as [SimulateTransactionResult];
    if (result.case !== 'simulatedTransaction') throw new Error('not simulated');
    const { executedTransaction, suggestedGasPrice, executionResult } = result.value;
    const { V1: effects } = bcs.TransactionEffects.parse(executedTransaction!.effects!.bcs!.data);
    expect(effects.status).toEqual({ Success: true, $kind: 'Success' });
    expect(suggestedGasPrice).toBe(1_000n);
    expect(executionResult.case).toBe('commandResults');
    const [checked] = (await simulate([])).transactionResults;
    expect(checked!.result).toMatchObject({
      case: 'error',
      value: { code: status.INVALID_ARGUMENT },
    });
  });
});
