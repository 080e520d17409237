import { describe, expect, it } from '@jest/globals';
import {
  create,
  type DescMethod,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import {
  BadRequestSchema,
  type CheckpointDataSchema,
  type GetTransactionsResponseSchema,
  LedgerService,
  StatusSchema,
} from '@forecourt/ledger/node-messages';
import type { RecordedGrpcCall } from '@forecourt/ledger/recorded-node';
import { compareGrpcAnswers } from './compare-grpc-answers.js';
import type { RawAnswer } from './recorded-call-client.js';

const { getTransactions, streamCheckpoints } = LedgerService.method;
const OK: RawAnswer = { responses: [], code: 0, message: '', status: null, headers: {} };

function recorded(answer: Partial<RecordedGrpcCall>): RecordedGrpcCall {
  return {
    name: '',
    service: '',
    method: '',
    request: '',
    responses: [],
    code: 0,
    status: '',
    message: '',
    ms: 0,
    ...answer,
  };
}

/** The differences between two answers with these messages. */
function differences<M extends DescMethod>(
  method: M,
  theirs: readonly MessageInitShape<M['output']>[],
  mine: readonly MessageInitShape<M['output']>[],
): readonly string[] {
  const encode = (message: MessageInitShape<M['output']>) =>
    toBinary(method.output, create(method.output, message) as MessageShape<M['output']>);
  const responses = theirs.map((one) => Buffer.from(encode(one)).toString('base64'));
  return compareGrpcAnswers(method, recorded({ responses }), {
    ...OK,
    responses: mine.map(encode),
  });
}

type Results = MessageInitShape<typeof GetTransactionsResponseSchema>;
type Part = MessageInitShape<typeof CheckpointDataSchema>;

const results = (...transactionResults: NonNullable<Results['transactionResults']>): Results => ({
  transactionResults,
});
const error = (code: number, message: string) => ({
  result: { case: 'error' as const, value: { code, message } },
});
const executed = (value: object) => ({
  result: { case: 'executedTransaction' as const, value },
});

describe('the comparison of two gRPC answers', () => {
  const compare = (theirs: Results, mine: Results) =>
    differences(getTransactions, [theirs], [mine]);

  it('ignores ids, digests, versions and numbers of checkpoints in texts', () => {
    const text = (digit: string) =>
      error(
        5,
        `Object 0x${digit.repeat(64)} ${digit.repeat(44)} SequenceNumber(${digit}) Version 0x${digit}`,
      );
    expect(compare(results(text('1')), results(text('2')))).toEqual([]);
    const call = recorded({ code: 5, message: 'Checkpoint 12 not found' });
    const ours = { ...OK, code: 5, message: 'Checkpoint 7 not found' };
    expect(compareGrpcAnswers(null, call, ours)).toEqual([]);
  });

  it('finds different codes, texts and details of a call', () => {
    const call = recorded({ code: 3, message: 'a' });
    expect(compareGrpcAnswers(null, call, { ...OK, code: 5, message: 'a' })).toHaveLength(2);
    expect(compareGrpcAnswers(null, call, { ...OK, code: 3, message: 'b' })).toHaveLength(2);
    const violation = create(BadRequestSchema, { fieldViolations: [{ field: 'f', reason: 'R' }] });
    const detail = { ...anyPack(BadRequestSchema, violation), typeUrl: '/google.rpc.BadRequest' };
    const status = toBinary(StatusSchema, create(StatusSchema, { code: 3, details: [detail] }));
    const ours = { ...OK, code: 3, message: 'a', status };
    expect(compareGrpcAnswers(null, call, ours)).toHaveLength(2);
    const { typeUrl } = detail;
    const details = [{ typeUrl, fieldViolations: [{ field: 'f', reason: 'R' }] }];
    expect(compareGrpcAnswers(null, { ...call, details }, ours)).toEqual([]);
  });

  it('finds different codes, texts and fields of an item, and items in another order', () => {
    expect(compare(results(error(3, 'a')), results(error(5, 'a')))).toHaveLength(2);
    expect(compare(results(error(3, 'a')), results(error(3, 'b')))).toHaveLength(2);
    const sealed = executed({ checkpoint: 1n });
    expect(compare(results(sealed), results(executed({})))).toEqual([
      'node only: .transaction_results[0].executed_transaction.checkpoint',
    ]);
    expect(compare(results(sealed), results(executed({ checkpoint: 2n })))).toEqual([]);
    const failed = error(3, 'a');
    expect(compare(results(sealed, failed), results(failed, sealed))).not.toEqual([]);
  });

  it('compares events only if both answers have some', () => {
    const emitting = (events: readonly object[]) =>
      results(executed({ events: { events: { events } } }));
    expect(compare(emitting([{ module: 'a' }]), emitting([]))).toEqual([]);
    expect(compare(emitting([{ module: 'a' }]), emitting([{ eventType: 'a' }]))).toHaveLength(2);
  });

  it('finds messages of a checkpoint in another order', () => {
    const header: Part = { payload: { case: 'checkpoint', value: {} } };
    const progress: Part = { payload: { case: 'progress', value: {} } };
    const end: Part = { payload: { case: 'endMarker', value: {} } };
    const stream = (theirs: Part[], mine: Part[]) => differences(streamCheckpoints, theirs, mine);
    expect(stream([header, progress, end], [header, progress, end])).toEqual([]);
    expect(stream([header, progress, end], [progress, header, end])).toHaveLength(2);
    expect(stream([header, end], [header, end, header, end])).toEqual([]);
  });
});
