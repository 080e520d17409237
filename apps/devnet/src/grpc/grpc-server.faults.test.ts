import { afterEach, describe, expect, it } from '@jest/globals';
import { fromBinary } from '@bufbuild/protobuf';
import { anyUnpack } from '@bufbuild/protobuf/wkt';
import {
  ErrorInfoSchema,
  LedgerService,
  type Status,
  StatusSchema,
  TransactionExecutionService,
} from '@forecourt/ledger/node-messages';
import { type ServiceError, status } from '@grpc/grpc-js';
import { fromBase58, toBase58 } from '@iota/iota-sdk/utils';
import { executeItem, refusalOfItem } from '../testing/execute-item.test-support.js';
import { GrpcTestClient } from '../testing/grpc-test-client.test-support.js';
import { framed, openSession, rawCall } from '../testing/raw-grpc-call.test-support.js';
import { countersOf, signedTransfer } from '../testing/signed-transfer.test-support.js';
import { useDevnet } from '../testing/use-devnet.test-support.js';

const { executeTransactions } = TransactionExecutionService.method;
const { getServiceInfo, getTransactions } = LedgerService.method;
const READS = 'iota_getLatestCheckpointSequenceNumber';
const INFO = '/iota.grpc.v1.ledger_service.LedgerService/GetServiceInfo';
const IDENTIFIES = 'iota_getChainIdentifier';

describe('faults over gRPC', () => {
  const own = useDevnet();
  afterEach(async () => {
    await own.devnet.control('DELETE', '/faults');
    await own.devnet.control('DELETE', '/node');
  });

  const errorOf = async (call: Promise<unknown>): Promise<ServiceError> =>
    call.then(
      () => Promise.reject(new Error('the call succeeded')),
      (error: unknown) => error as ServiceError,
    );
  const isExecuted = async (digest: string) => {
    const requests = { requests: [{ digest: { digest: fromBase58(digest) } }] };
    const [answer] = await own.grpc.all(getTransactions, { requests });
    return answer!.transactionResults[0]!.result.case === 'executedTransaction';
  };

  it.each([
    ['gas-price', status.INVALID_ARGUMENT],
    ['stale', status.INVALID_ARGUMENT],
    ['locked', status.ABORTED],
    ['equivocated', status.ABORTED],
    ['different-signatures', status.ABORTED],
    ['internal', status.INTERNAL],
  ])('refuse a transaction without a reason: %s', async (preset, code) => {
    await own.devnet.setFault({ kind: 'refuse', preset, times: 1 });
    const transfer = await signedTransfer(own.devnet);
    expect(await refusalOfItem(own.grpc, executeItem(transfer))).toMatchObject({
      code,
      details: [],
    });
    expect(await isExecuted(transfer.digest)).toBe(false);
  });

  it.each([
    ['gas-price', 'INVALID_TRANSACTION'],
    ['stale', 'REJECTED_BY_VALIDATORS'],
  ])('give the reason of a newer node: %s', async (preset, reason) => {
    await own.devnet.control('POST', '/node', { version: '2026' });
    await own.devnet.setFault({ kind: 'refuse', preset, times: 1 });
    const error = await refusalOfItem(own.grpc, executeItem(await signedTransfer(own.devnet)));
    expect(error.code).toBe(status.INVALID_ARGUMENT);
    expect(reasonOf(error)).toBe(reason);
  });

  it.each(['timeout', 'no-finality'])('leave an outcome open: %s', async (preset) => {
    await own.devnet.setFault({ kind: 'transient', preset, when: 'after', times: 1 });
    const transfer = await signedTransfer(own.devnet);
    expect(await refusalOfItem(own.grpc, executeItem(transfer))).toMatchObject({
      code: status.UNAVAILABLE,
      message: 'timed-out before finality could be reached',
    });
    expect(await isExecuted(transfer.digest)).toBe(true);
    const { submissions } = await countersOf(own.devnet);
    expect(submissions[transfer.digest]).toBe(1);
  });

  it('give a call the answer of the one before it', async () => {
    await own.devnet.setFault({
      kind: 'mixAnswers',
      method: 'iota_executeTransactionBlock',
      times: 1,
    });
    const digests = [];
    for (const transfer of [await signedTransfer(own.devnet), await signedTransfer(own.devnet)]) {
      const transactions = [executeItem(transfer)];
      const readMask = { paths: ['transaction.digest'] };
      const answer = await own.grpc.unary(executeTransactions, { transactions, readMask });
      const { result } = answer.transactionResults[0]!;
      if (result.case !== 'executedTransaction') throw new Error('not executed');
      digests.push(toBase58(result.value.transaction!.digest!.digest));
      expect(await isExecuted(transfer.digest)).toBe(true);
      expect(digests.at(-1) === transfer.digest).toBe(digests.length === 1);
    }
  });

  it('execute a transaction, and answer without an end', async () => {
    await own.devnet.setFault({ kind: 'endless', times: 1 });
    const transfer = await signedTransfer(own.devnet);
    const item = { transactions: [executeItem(transfer)] };
    await errorOf(own.grpc.unary(executeTransactions, item, { deadlineMs: 500 }));
    expect(await isExecuted(transfer.digest)).toBe(true);
  });

  it('lose the reply of an executed transaction with the connection', async () => {
    await own.devnet.setFault({ kind: 'loseReply', times: 1 });
    const transfer = await signedTransfer(own.devnet);
    const call = own.grpc.unary(executeTransactions, { transactions: [executeItem(transfer)] });
    expect((await errorOf(call)).code).toBe(status.UNAVAILABLE);
    expect(await isExecuted(transfer.digest)).toBe(true);
  });

  it('limit the rate of calls', async () => {
    await own.devnet.setFault({ kind: 'rateLimit', as: 'error', times: 1 });
    expect((await errorOf(own.grpc.unary(getServiceInfo, {}))).code).toBe(
      status.RESOURCE_EXHAUSTED,
    );
  });

  it('answer in place of a proxy, with the status of HTTP', async () => {
    const session = openSession(own.devnet.urls.grpc!);
    const ask = async () => (await rawCall(session, INFO, framed(new Uint8Array()))).headers;
    await own.devnet.setFault({ kind: 'httpReply', status: 503, method: READS, times: 1 });
    expect(await ask()).toMatchObject({ ':status': 503, 'content-type': 'text/html' });
    await own.devnet.setFault({ kind: 'rateLimit', retryAfterSecs: 7, times: 1 });
    expect(await ask()).toMatchObject({ ':status': 429, 'retry-after': '7' });
    session.close();
    await own.devnet.setFault({ kind: 'httpReply', status: 503, method: READS, times: 1 });
    expect((await errorOf(own.grpc.unary(getServiceInfo, {}))).code).toBe(status.UNAVAILABLE);
  });

  it('answer a submission in place of a proxy, after it was executed', async () => {
    await own.devnet.setFault({ kind: 'misreport', status: 413, times: 1 });
    const transfer = await signedTransfer(own.devnet);
    const call = own.grpc.unary(executeTransactions, { transactions: [executeItem(transfer)] });
    expect((await errorOf(call)).code).toBe(status.UNKNOWN);
    expect(await isExecuted(transfer.digest)).toBe(true);
  });

  it('delay calls, and count them under the name of JSON-RPC', async () => {
    await own.devnet.control('DELETE', '/counters');
    await own.devnet.setFault({ kind: 'latency', ms: 60, method: READS, times: 1 });
    const begin = performance.now();
    await own.grpc.unary(getServiceInfo, {});
    expect(performance.now() - begin).toBeGreaterThanOrEqual(59);
    expect((await countersOf(own.devnet)).requests[READS]).toBe(1);
  });

  it('distinguish calls that identify the chain', async () => {
    await own.devnet.control('DELETE', '/counters');
    await own.devnet.setFault({ kind: 'refuse', method: IDENTIFIES, preset: 'internal' });
    const identify = own.grpc.unary(getServiceInfo, { readMask: { paths: ['chain_id'] } });
    expect((await errorOf(identify)).code).toBe(status.INTERNAL);
    await own.grpc.unary(getServiceInfo, { readMask: { paths: ['chain_id', 'epoch'] } });
    expect((await countersOf(own.devnet)).requests).toEqual({ [IDENTIFIES]: 1, [READS]: 1 });
  });

  it('hide new transactions and checkpoints from reads that lag', async () => {
    const transfer = await signedTransfer(own.devnet);
    await transfer.submit();
    const before = await own.grpc.unary(getServiceInfo, {});
    await own.devnet.setFault({ kind: 'lag', checkpoints: 1 });
    const { executedCheckpointHeight } = await own.grpc.unary(getServiceInfo, {});
    expect(executedCheckpointHeight).toBe(before.executedCheckpointHeight! - 1n);
    expect(await isExecuted(transfer.digest)).toBe(false);
  });

  it('close the port, and open it again', async () => {
    const fault = await own.devnet.setFault({ kind: 'down', mode: 'refuse' });
    const other = new GrpcTestClient(own.devnet.urls.grpc!);
    expect((await errorOf(other.unary(getServiceInfo, {}))).code).toBe(status.UNAVAILABLE);
    await own.devnet.control('DELETE', `/faults/${fault}`);
    const again = new GrpcTestClient(own.devnet.urls.grpc!);
    await again.unary(getServiceInfo, {});
    other.close();
    again.close();
  });

  it('demand the headers of the node', async () => {
    await own.devnet.control('POST', '/node', { requiredHeaders: { 'x-key': 'a' } });
    const wrong = new GrpcTestClient(own.devnet.urls.grpc!, { 'x-key': 'b' });
    const right = new GrpcTestClient(own.devnet.urls.grpc!, { 'x-key': 'a' });
    expect((await errorOf(own.grpc.unary(getServiceInfo, {}))).code).toBe(status.UNAUTHENTICATED);
    expect((await errorOf(wrong.unary(getServiceInfo, {}))).code).toBe(status.PERMISSION_DENIED);
    await right.unary(getServiceInfo, {});
    wrong.close();
    right.close();
  });

  it('name an invalid field of a call in the details of its status', async () => {
    const error = await errorOf(own.grpc.unary(executeTransactions, { transactions: [] }));
    expect(error.code).toBe(status.INVALID_ARGUMENT);
    const mask = errorOf(own.grpc.unary(getServiceInfo, { readMask: { paths: ['nothing'] } }));
    const [bytes] = (await mask).metadata.get('grpc-status-details-bin');
    const { details } = fromBinary(StatusSchema, bytes as Buffer);
    expect(details[0]!.typeUrl).toBe('/google.rpc.BadRequest');
  });
});

function reasonOf({ details }: Status): string | undefined {
  return details.map((one) => anyUnpack(one, ErrorInfoSchema)?.reason).find(Boolean);
}
