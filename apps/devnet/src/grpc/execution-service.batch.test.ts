import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TransactionExecutionService } from '@forecourt/ledger/node-messages';
import { status } from '@grpc/grpc-js';
import { bcs } from '@iota/iota-sdk/bcs';
import { toBase58 } from '@iota/iota-sdk/utils';
import { executeItem } from '../testing/execute-item.test-support.js';
import { type SignedTransfer, signedTransfer } from '../testing/signed-transfer.test-support.js';
import { useDevnet } from '../testing/use-devnet.test-support.js';

const { executeTransactions } = TransactionExecutionService.method;
const EXECUTE = 'iota_executeTransactionBlock';
const LATENCY_MS = 60;
const DEADLINE_MS = 400;

describe('ExecuteTransactions', () => {
  const own = useDevnet();
  beforeEach(() => own.devnet.setFault({ kind: 'latency', ms: LATENCY_MS }));
  afterEach(() => own.devnet.control('DELETE', '/faults'));

  const transfers = (count: number) =>
    Promise.all(Array.from({ length: count }, () => signedTransfer(own.devnet)));
  const batchOf = (signed: readonly SignedTransfer[]) => ({
    transactions: signed.map(executeItem),
    readMask: { paths: ['transaction.digest'] },
  });
  const execute = async (signed: readonly SignedTransfer[]) => {
    const { transactionResults } = await own.grpc.unary(executeTransactions, batchOf(signed));
    return transactionResults.map(({ result }) =>
      result.case === 'executedTransaction'
        ? toBase58(result.value.transaction!.digest!.digest)
        : result.value!.code,
    );
  };
  const landed = (signed: readonly SignedTransfer[]) =>
    signed.map(({ digest }) => own.devnet.engine.getTransaction(digest) !== null);
  /** Resolves when the ledger executes the transaction. */
  const execution = ({ digest }: SignedTransfer) =>
    new Promise<void>((resolve) => {
      own.devnet.engine.changes.on('executed', (executed) => {
        if (executed.digest === digest) resolve();
      });
    });

  it('executes a batch in order, one after the other, each with the time of the node', async () => {
    const signed = await transfers(3);
    const order: string[] = [];
    own.devnet.engine.changes.on('executed', ({ digest }) => order.push(digest));
    const begin = performance.now();
    expect(await execute(signed)).toEqual(signed.map(({ digest }) => digest));
    expect(performance.now() - begin).toBeGreaterThanOrEqual(3 * LATENCY_MS - 3);
    expect(order).toEqual(signed.map(({ digest }) => digest));
  });

  it('continues after an item that fails, and answers the same transaction twice', async () => {
    const [first, second] = (await transfers(2)) as [SignedTransfer, SignedTransfer];
    const unsigned = { ...first, params: [first.params[0], []] as const };
    const results = await execute([unsigned, second, second, first, first]);
    expect(results).toEqual([
      status.INVALID_ARGUMENT,
      second.digest,
      second.digest,
      first.digest,
      first.digest,
    ]);
  });

  it('executes one of several that use the same coin, and refuses the others as stale', async () => {
    const key = await own.devnet.fundedKey();
    const conflicting = [
      await signedTransfer(own.devnet, key, 1),
      await signedTransfer(own.devnet, key, 2),
      await signedTransfer(own.devnet, key, 3),
    ];
    expect(await execute(conflicting)).toEqual([
      conflicting[0]!.digest,
      status.INVALID_ARGUMENT,
      status.INVALID_ARGUMENT,
    ]);
  });

  it('lands what has begun when the deadline passes, and never begins what follows', async () => {
    const signed = await transfers(3);
    const firstLands = execution(signed[0]!);
    await own.devnet.control('DELETE', '/faults');
    await own.devnet.setFault({ kind: 'latency', ms: 2 * DEADLINE_MS, method: EXECUTE, times: 1 });
    await own.devnet.setFault({ kind: 'latency', ms: LATENCY_MS });
    const call = own.grpc.unary(executeTransactions, batchOf(signed), { deadlineMs: DEADLINE_MS });
    await expect(call).rejects.toMatchObject({ code: status.DEADLINE_EXCEEDED });
    expect(landed(signed)).toEqual([false, false, false]);
    await firstLands;
    // Each call takes the node's time: what would have followed has had it as well.
    await execute(await transfers(2));
    expect(landed(signed)).toEqual([true, false, false]);
    expect(await execute(signed)).toEqual(signed.map(({ digest }) => digest));
  });

  it('does the same when the caller cancels', async () => {
    // So many that the end of the call arrives before the last one begins, also on a busy machine.
    const signed = await transfers(20);
    const firstLands = execution(signed[0]!);
    const cancelling = new AbortController();
    const call = own.grpc.unary(executeTransactions, batchOf(signed), {
      cancelled: cancelling.signal,
    });
    const outcome = expect(call).rejects.toMatchObject({ code: status.CANCELLED });
    await firstLands;
    cancelling.abort();
    await outcome;
    // Each call takes the node's time: what has begun has ended, and what would have followed has had its
    // time.
    await execute(await transfers(2));
    const begun = landed(signed);
    await execute(await transfers(2));
    expect(landed(signed)).toEqual(begun);
    expect([begun.at(0), begun.at(-1)]).toEqual([true, false]);
  });

  it('answers two calls with the same transaction at once with its effects', async () => {
    const [signed] = (await transfers(1)) as [SignedTransfer];
    const both = await Promise.all([execute([signed]), execute([signed])]);
    expect(both).toEqual([[signed.digest], [signed.digest]]);
  });

  it('shows what JSON-RPC shows of the transaction, and by default no checkpoint', async () => {
    const [signed] = (await transfers(1)) as [SignedTransfer];
    const { transactionResults } = await own.grpc.unary(executeTransactions, {
      transactions: [executeItem(signed)],
    });
    const { result } = transactionResults[0]!;
    if (result.case !== 'executedTransaction') throw new Error('not executed');
    const { transaction, signatures, effects, events, checkpoint, inputObjects, outputObjects } =
      result.value;
    const options = { showRawEffects: true, showEffects: true };
    const { digest } = signed;
    const jsonTransaction = await own.devnet.client.getTransactionBlock({ digest, options });
    expect(toBase58(transaction!.digest!.digest)).toBe(digest);
    expect([transaction!.bcs, signatures, checkpoint]).toEqual([undefined, undefined, undefined]);
    expect([...effects!.bcs!.data]).toEqual(jsonTransaction.rawEffects);
    expect(bcs.TransactionEffects.parse(effects!.bcs!.data).V1.transactionDigest).toBe(digest);
    expect(events!.events!.events).toEqual([]);
    expect(inputObjects!.objects).toHaveLength(jsonTransaction.effects!.modifiedAtVersions!.length);
    const written = [...jsonTransaction.effects!.created!, ...jsonTransaction.effects!.mutated!];
    const digests = outputObjects!.objects.map(({ reference }) =>
      toBase58(reference!.digest!.digest),
    );
    expect(digests).toEqual(written.map(({ reference }) => reference.digest));
  });

  it('shows the objects of a transaction to the first submission only', async () => {
    const [signed] = (await transfers(1)) as [SignedTransfer];
    const counts = [];
    for (let index = 0; index < 2; index += 1) {
      const { transactionResults } = await own.grpc.unary(executeTransactions, {
        transactions: [executeItem(signed)],
      });
      const { result } = transactionResults[0]!;
      if (result.case !== 'executedTransaction') throw new Error('not executed');
      const { inputObjects, outputObjects } = result.value;
      counts.push([inputObjects?.objects.length, outputObjects?.objects.length]);
    }
    expect(counts[0]).not.toContain(0);
    expect(counts[1]).toEqual([0, 0]);
  });
});
