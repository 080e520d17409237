import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { type CheckpointData, LedgerService } from '@forecourt/ledger/node-messages';
import { fromBase58, fromHex, toBase58 } from '@iota/iota-sdk/utils';
import { signedTransfer } from '../testing/signed-transfer.test-support.js';
import { useDevnet } from '../testing/use-devnet.test-support.js';

const { getCheckpoint, streamCheckpoints } = LedgerService.method;

describe('StreamCheckpoints', () => {
  const own = useDevnet();

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
    const first = await signedTransfer(own.devnet);
    await first.submit();
    const second = await signedTransfer(own.devnet);
    await second.submit();
    const end = BigInt(own.devnet.engine.latestCheckpoint.sequenceNumber);
    const parts = await own.grpc.all(streamCheckpoints, {
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
      own.devnet.engine.latestCheckpoint.digest,
    );
    expect(header.value.contents).toBeUndefined();
  });

  it('follows new checkpoints, and skips those in which nothing matches', async () => {
    const wanted = await own.devnet.fundedKey();
    const startSequenceNumber = BigInt(own.devnet.engine.latestCheckpoint.sequenceNumber + 1);
    const stream = own.grpc.stream(streamCheckpoints, {
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
    await (await signedTransfer(own.devnet)).submit();
    const match = await signedTransfer(own.devnet, wanted);
    await match.submit();
    await ended;
    stream.on('error', () => undefined).cancel();
    expect(casesOf(parts)).toEqual(['checkpoint', 'executedTransactions', 'endMarker']);
    expect(digestsOf(parts)).toEqual([match.digest]);
  });

  it('says how far it has come while nothing matches, every half second at most', async () => {
    const sender = { address: { address: new Uint8Array(32) } };
    const start = performance.now();
    const stream = own.grpc.stream(streamCheckpoints, {
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
    while (!isOver) await own.devnet.fundedKey();
    const { payload } = (await first)[0];
    stream.on('error', () => undefined).cancel();
    expect(payload.case).toBe('progress');
    expect(performance.now() - start).toBeGreaterThanOrEqual(500);
  });

  it('reads one checkpoint by number, by digest, and the newest', async () => {
    const { sequenceNumber, digest } = own.devnet.engine.latestCheckpoint;
    const bySequence = await own.grpc.all(getCheckpoint, {
      checkpointId: { case: 'sequenceNumber', value: BigInt(sequenceNumber) },
    });
    const byDigest = await own.grpc.all(getCheckpoint, {
      checkpointId: { case: 'digest', value: { digest: fromBase58(digest) } },
    });
    const newest = await own.grpc.all(getCheckpoint, {
      checkpointId: { case: 'latest', value: true },
    });
    expect(newest).toEqual(bySequence);
    expect(byDigest).toEqual(bySequence);
    expect(casesOf(newest)).toEqual(['checkpoint', 'endMarker']);
  });
});
