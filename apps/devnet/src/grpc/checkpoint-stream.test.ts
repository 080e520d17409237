import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CheckpointData, LedgerService } from '@forecourt/node-messages';
import { fromBase58, fromHex, toBase58 } from '@iota/iota-sdk/utils';
import { GrpcTestClient } from '../testing/grpc-client.test-support.js';
import { signedTransfer } from '../testing/signed-transfer.test-support.js';
import { startTestDevnet, type TestDevnet } from '../testing/start-test-devnet.test-support.js';

const { getCheckpoint, streamCheckpoints } = LedgerService.method;

describe('StreamCheckpoints', () => {
  let devnet: TestDevnet;
  let client: GrpcTestClient;
  beforeAll(async () => {
    devnet = await startTestDevnet();
    client = new GrpcTestClient(devnet.urls.grpc!);
  });
  afterAll(async () => {
    client.close();
    await devnet.stop();
  });

  const casesOf = (parts: readonly CheckpointData[]) => parts.map(({ payload }) => payload.case);
  const digestsOf = (parts: readonly CheckpointData[]) =>
    parts.flatMap(({ payload }) =>
      payload.case === 'executedTransactions'
        ? payload.value.executedTransactions.map(({ transaction }) =>
            toBase58(transaction!.digest!.digest),
          )
        : [],
    );

  it('sends each checkpoint as a header, its transactions and an end, from the first to the last asked for', async () => {
    const first = await signedTransfer(devnet);
    await first.submit();
    const second = await signedTransfer(devnet);
    await second.submit();
    const end = BigInt(devnet.engine.latestCheckpoint.sequenceNumber);
    const parts = await client.all(streamCheckpoints, {
      startSequenceNumber: end - 1n,
      endSequenceNumber: end,
      readMask: { paths: ['checkpoint.summary.digest', 'transactions.transaction.digest'] },
    });
    const one = ['checkpoint', 'executedTransactions', 'endMarker'];
    expect(casesOf(parts)).toEqual([...one, ...one]);
    expect(digestsOf(parts)[1]).toBe(second.digest);
    const header = parts[3]!.payload;
    if (header.case !== 'checkpoint') throw new Error('no header');
    expect(header.value.sequenceNumber).toBe(end);
    expect(toBase58(header.value.summary!.digest!.digest)).toBe(
      devnet.engine.latestCheckpoint.digest,
    );
    expect(header.value.contents).toBeUndefined();
  });

  it('follows new checkpoints, and skips those in which nothing matches', async () => {
    const wanted = await devnet.fundedKey();
    const startSequenceNumber = BigInt(devnet.engine.latestCheckpoint.sequenceNumber + 1);
    const stream = client.stream(streamCheckpoints, {
      startSequenceNumber,
      filterCheckpoints: true,
      readMask: { paths: ['transactions.transaction'] },
      transactionsFilter: {
        filter: {
          case: 'sender',
          value: { address: { address: fromHex(wanted.toIotaAddress()) } },
        },
      },
    });
    const parts: CheckpointData[] = [];
    const ended = (async () => {
      for await (const part of stream) {
        parts.push(part as CheckpointData);
        if (parts.at(-1)!.payload.case === 'endMarker') break;
      }
    })();
    await (await signedTransfer(devnet)).submit();
    const match = await signedTransfer(devnet, wanted);
    await match.submit();
    await ended;
    stream.on('error', () => undefined).cancel();
    expect(casesOf(parts)).toEqual(['checkpoint', 'executedTransactions', 'endMarker']);
    expect(digestsOf(parts)).toEqual([match.digest]);
  });

  it('says how far it has come while nothing matches, every half second at most', async () => {
    const sender = { address: { address: new Uint8Array(32) } };
    const start = performance.now();
    const stream = client.stream(streamCheckpoints, {
      startSequenceNumber: 0n,
      filterCheckpoints: true,
      progressIntervalMs: 1,
      readMask: { paths: ['transactions.transaction.digest'] },
      transactionsFilter: {
        filter: {
          case: 'all',
          value: {
            filters: [
              { filter: { case: 'sender', value: sender } },
              { filter: { case: 'executionStatus', value: { success: false } } },
            ],
          },
        },
      },
    });
    const first = once(stream, 'data') as Promise<[CheckpointData]>;
    let isOver = false;
    void first.then(() => (isOver = true));
    while (!isOver) await devnet.fundedKey();
    const { payload } = (await first)[0];
    stream.on('error', () => undefined).cancel();
    expect(payload.case).toBe('progress');
    expect(performance.now() - start).toBeGreaterThanOrEqual(500);
  });

  it('reads one checkpoint by number, by digest, and the newest', async () => {
    const { sequenceNumber, digest } = devnet.engine.latestCheckpoint;
    const bySequence = await client.all(getCheckpoint, {
      checkpointId: { case: 'sequenceNumber', value: BigInt(sequenceNumber) },
    });
    const byDigest = await client.all(getCheckpoint, {
      checkpointId: { case: 'digest', value: { digest: fromBase58(digest) } },
    });
    const newest = await client.all(getCheckpoint, {
      checkpointId: { case: 'latest', value: true },
    });
    expect(newest).toEqual(bySequence);
    expect(byDigest).toEqual(bySequence);
    expect(casesOf(newest)).toEqual(['checkpoint', 'endMarker']);
  });
});
