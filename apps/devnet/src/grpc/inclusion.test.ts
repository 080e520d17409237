import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  LedgerService,
  StateService,
  TransactionExecutionService,
} from '@forecourt/ledger/node-messages';
import { fromBase58, fromHex } from '@iota/iota-sdk/utils';
import { readDevnetConfig } from '../devnet-config.js';
import { startDevnet } from '../start-devnet.js';
import { executeItem } from '../testing/execute-item.test-support.js';
import { GrpcTestClient } from '../testing/grpc-test-client.test-support.js';
import { type SignedTransfer, signedTransfer } from '../testing/signed-transfer.test-support.js';
import { startTestDevnet, type TestDevnet } from '../testing/start-test-devnet.test-support.js';
import { inclusionMs } from './inclusion.js';

const { executeTransactions } = TransactionExecutionService.method;
const { getObjects, getTransactions, getServiceInfo } = LedgerService.method;
/** Longer than any test. */
const FAR_MS = '60000';

describe('a node that has not executed the checkpoint of a transaction', () => {
  let devnet: TestDevnet;
  let client: GrpcTestClient;
  let signed: SignedTransfer;
  beforeEach(async () => {
    devnet = await startTestDevnet();
    client = new GrpcTestClient(devnet.urls.grpc!);
    signed = await signedTransfer(devnet);
  });
  afterEach(async () => {
    client.close();
    await devnet.stop();
  });

  const lag = (lagMs: string) => devnet.control('POST', '/node', { lagMs });
  /** Executes, and returns the checkpoint in the answer. */
  const execute = async (checkpointInclusionTimeoutMs?: bigint) => {
    const { transactionResults } = await client.unary(executeTransactions, {
      transactions: [executeItem(signed)],
      readMask: { paths: ['effects.digest', 'checkpoint', 'timestamp'] },
      ...(checkpointInclusionTimeoutMs !== undefined && { checkpointInclusionTimeoutMs }),
    });
    const { result } = transactionResults[0]!;
    if (result.case !== 'executedTransaction') throw new Error('not executed');
    expect(result.value.effects!.digest).toBeDefined();
    expect(result.value.timestamp === undefined).toBe(result.value.checkpoint === undefined);
    return result.value.checkpoint;
  };
  const timed = async <T>(run: () => Promise<T>) => {
    const begin = performance.now();
    return [await run(), performance.now() - begin] as const;
  };
  /** All that reads of both dialects show about the transaction and its gas coin. */
  const readAll = async () => {
    const { coin, digest, sender } = signed;
    const owner = sender.toIotaAddress();
    const request = { objectRef: { objectId: { objectId: fromHex(coin.objectId) } } };
    const next = { objectRef: { ...request.objectRef, version: BigInt(coin.version) + 1n } };
    const [objects] = await client.all(getObjects, {
      requests: { requests: [request, next] },
      readMask: { paths: ['reference.version'] },
    });
    const [transactions] = await client.all(getTransactions, {
      requests: { requests: [{ digest: { digest: fromBase58(digest) } }] },
      readMask: { paths: ['effects.digest'] },
    });
    const listed = await client.unary(StateService.method.listOwnedObjects, {
      owner: { address: fromHex(owner) },
      readMask: { paths: ['reference'] },
    });
    const { executedCheckpointHeight } = await client.unary(getServiceInfo, {});
    const [current, future] = objects!.objects.map(({ result }) =>
      result.case === 'object' ? result.value.reference!.version : result.case,
    );
    const mine = listed.objects.find(
      ({ reference }) =>
        Buffer.compare(reference!.objectId!.objectId, fromHex(coin.objectId)) === 0,
    );
    const rpc = await devnet.rpc('iota_getTransactionBlock', [digest]);
    const { data } = await devnet.client.getObject({ id: coin.objectId });
    return {
      object: current,
      future,
      transaction: transactions!.transactionResults[0]!.result.case,
      listed: mine!.reference!.version,
      height: executedCheckpointHeight,
      rpcTransaction: rpc.error === undefined,
      rpcObject: BigInt(data!.version),
    };
  };

  it('shows nothing of it, in either dialect, and everything together with the checkpoint', async () => {
    await lag(FAR_MS);
    const before = BigInt(signed.coin.version);
    // Not the latest checkpoint: one that was made under this lag is hidden as well.
    const { height } = await readAll();
    await execute();
    expect(await readAll()).toEqual({
      object: before,
      future: 'error',
      transaction: 'error',
      listed: before,
      height,
      rpcTransaction: false,
      rpcObject: before,
    });
    await lag('1');
    await devnet.control('POST', '/until-shown');
    expect(await readAll()).toMatchObject({
      object: before + 1n,
      future: before + 1n,
      transaction: 'executedTransaction',
      listed: before + 1n,
      rpcTransaction: true,
      rpcObject: before + 1n,
    });
  });

  it.each([undefined, 0n])('answers at once if the caller does not wait: %s', async (waitMs) => {
    await lag(FAR_MS);
    expect(await execute(waitMs)).toBeUndefined();
  });

  it('lets the caller wait for the whole time, and does not tell a checkpoint that comes later', async () => {
    await lag(FAR_MS);
    const [checkpoint, tookMs] = await timed(() => execute(120n));
    expect(checkpoint).toBeUndefined();
    expect(tookMs).toBeGreaterThanOrEqual(119);
  });

  it('lets the caller wait for the whole time although the checkpoint is there', async () => {
    await lag('1');
    const [checkpoint, tookMs] = await timed(() => execute(200n));
    const { checkpoint: sealed } = devnet.engine.getTransaction(signed.digest)!;
    expect(checkpoint).toBe(BigInt(sealed!));
    expect(tookMs).toBeGreaterThanOrEqual(199);
  });

  it('answers at once if the transaction was known with its checkpoint', async () => {
    await execute();
    const [checkpoint, tookMs] = await timed(() => execute(30_000n));
    expect(checkpoint).toBeDefined();
    expect(tookMs).toBeLessThan(30_000);
  });

  it('does not let a caller wait for more than a minute', () => {
    expect([undefined, 0n, 500n, 60_000n, 120_000n].map(inclusionMs)).toEqual([
      0, 0, 500, 60_000, 60_000,
    ]);
  });
});

describe('a devnet with gRPC', () => {
  it.each([
    [{ DEVNET_GRPC_PORT: '0' }, 50],
    [{ DEVNET_GRPC_PORT: 'off' }, 0],
    [{ DEVNET_GRPC_PORT: '0', DEVNET_LAG_MS: '7' }, 7],
  ])('shows transactions later than it answers them, by default: %j', async (env, ms) => {
    const ports = { DEVNET_RPC_PORT: '0', DEVNET_FAUCET_PORT: 'off', DEVNET_CONTROL_PORT: '0' };
    const node = await startDevnet(readDevnetConfig({ ...ports, ...env }));
    const profile = await fetch(`${node.urls.control}/node`);
    expect(await profile.json()).toMatchObject({ lagMs: { minMs: ms, maxMs: ms } });
    await node.stop();
  });
});
