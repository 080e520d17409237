import { beforeAll, describe, expect, it } from '@jest/globals';
import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  type CheckpointData,
  type GetCheckpointRequestSchema,
  LedgerService,
  type StreamCheckpointsRequestSchema,
  type TransactionFilterSchema,
} from '@forecourt/ledger/node-messages';
import { status } from '@grpc/grpc-js';
import { useDevnet } from '../testing/use-devnet.test-support.js';

type Filter = MessageInitShape<typeof TransactionFilterSchema>;
type StreamRequest = MessageInitShape<typeof StreamCheckpointsRequestSchema>;
type GetRequest = MessageInitShape<typeof GetCheckpointRequestSchema>;

const { getCheckpoint, streamCheckpoints } = LedgerService.method;

const ANY: Filter = { filter: { case: 'executionStatus', value: { success: true } } };
const TRANSACTIONS = { paths: ['transactions.transaction.digest'] };

const not = (filter: Filter): Filter => ({ filter: { case: 'negation', value: { filter } } });

/** `depth` negations around a filter. */
function nested(depth: number): Filter {
  return Array.from({ length: depth }).reduce<Filter>((filter) => not(filter), ANY);
}

/** A filter of `nodes` filters. */
function wide(nodes: number): Filter {
  const filters = Array.from({ length: nodes - 1 }, () => ANY);
  return { filter: { case: 'any', value: { filters } } };
}

const eventOfType = (structTag: string) => ({
  filter: { case: 'moveEventType' as const, value: { structTag } },
});

const refusedStreams: [text: string, request: StreamRequest][] = [
  ['transactions_filter requires transactions in read_mask', { transactionsFilter: ANY }],
  [
    'events_filter requires events in read_mask',
    { eventsFilter: eventOfType('0x2::a::B'), readMask: TRANSACTIONS },
  ],
  [
    'filter_checkpoints requires at least one of transactions_filter or events_filter',
    { filterCheckpoints: true, readMask: TRANSACTIONS },
  ],
  [
    'invalid transaction filter: transaction filter is missing',
    { transactionsFilter: {}, readMask: TRANSACTIONS },
  ],
  [
    'invalid transaction filter: transaction filter is missing',
    { transactionsFilter: not({}), readMask: TRANSACTIONS },
  ],
  [
    'invalid event filter: invalid struct tag: Invalid struct type: not a type. ' +
      'Got error: expected token ::, got [identifier]',
    { eventsFilter: eventOfType('not a type'), readMask: { paths: ['events'] } },
  ],
  [
    'Transaction filter depth exceeds maximum allowed depth of 10',
    { transactionsFilter: nested(11), readMask: TRANSACTIONS },
  ],
  [
    'Transaction filter complexity exceeds maximum allowed nodes: 1001 > 1000',
    { transactionsFilter: wide(1001), readMask: TRANSACTIONS },
  ],
  ['invalid read_mask path: no_such_field', { readMask: { paths: ['no_such_field'] } }],
];

const refusedReads: [code: status, text: string, request: GetRequest][] = [
  [status.INVALID_ARGUMENT, 'checkpoint_id must be provided', {}],
  [
    status.NOT_FOUND,
    'Checkpoint 1000000 not found',
    { checkpointId: { case: 'sequenceNumber', value: 1_000_000n } },
  ],
  [
    status.NOT_FOUND,
    'checkpoint not found',
    { checkpointId: { case: 'digest', value: { digest: new Uint8Array(32) } } },
  ],
];

describe('requests for checkpoints', () => {
  const own = useDevnet();
  beforeAll(async () => {
    for (let index = 0; index < 3; index += 1) await own.devnet.fundedKey();
  });

  const numbersOf = (parts: readonly CheckpointData[]) =>
    parts.flatMap(({ payload }) =>
      payload.case === 'endMarker' ? [Number(payload.value.sequenceNumber)] : [],
    );

  it.each(refusedStreams)('are refused: %s', async (details, request) => {
    await expect(
      own.grpc.all(streamCheckpoints, { endSequenceNumber: 1n, ...request }),
    ).rejects.toMatchObject({ code: status.INVALID_ARGUMENT, details });
  });

  it.each([
    ['10 filters within each other', nested(10)],
    ['1000 filters', wide(1000)],
  ])('may have %s', async (_, transactionsFilter) => {
    const request = { endSequenceNumber: 1n, transactionsFilter, readMask: TRANSACTIONS };
    expect(numbersOf(await own.grpc.all(streamCheckpoints, request))).toEqual([1]);
  });

  it.each(refusedReads)('are answered with code %i: %s', async (code, details, request) => {
    await expect(own.grpc.all(getCheckpoint, request)).rejects.toMatchObject({ code, details });
  });

  it('may end before they start: the stream is empty', async () => {
    const range = { startSequenceNumber: 2n, endSequenceNumber: 1n };
    expect(await own.grpc.all(streamCheckpoints, range)).toEqual([]);
  });

  it('mean one checkpoint with an end and without a start', async () => {
    const request = { endSequenceNumber: 2n };
    expect(numbersOf(await own.grpc.all(streamCheckpoints, request))).toEqual([2]);
  });

  it('start with the newest checkpoint without a start', async () => {
    const { sequenceNumber } = own.devnet.engine.latestCheckpoint;
    expect(await firstOf({})).toBe(sequenceNumber);
  });

  it('wait for a start in the future', async () => {
    const next = own.devnet.engine.latestCheckpoint.sequenceNumber + 2;
    const found = firstOf({ startSequenceNumber: BigInt(next) });
    await own.devnet.fundedKey();
    await own.devnet.fundedKey();
    await own.devnet.fundedKey();
    expect(await found).toBe(next);
  });

  it('name the lowest checkpoint that the node keeps', async () => {
    await own.devnet.control('POST', '/prune', { below: 3 });
    const pruned = {
      code: status.NOT_FOUND,
      details: 'Requested checkpoint 1 is below the lowest available checkpoint 3',
    };
    const range = { startSequenceNumber: 1n, endSequenceNumber: 2n };
    await expect(own.grpc.all(streamCheckpoints, range)).rejects.toMatchObject(pruned);
    const one: GetRequest = { checkpointId: { case: 'sequenceNumber', value: 1n } };
    await expect(own.grpc.all(getCheckpoint, one)).rejects.toMatchObject(pruned);
  });

  /** The number of the first checkpoint of a stream. */
  async function firstOf(request: StreamRequest): Promise<number> {
    const stream = own.grpc.stream(streamCheckpoints, request);
    try {
      for await (const part of stream) {
        const { payload } = part as CheckpointData;
        if (payload.case === 'checkpoint') return Number(payload.value.sequenceNumber);
      }
      throw new Error('the stream ended');
    } finally {
      stream.on('error', () => undefined).cancel();
    }
  }
});
