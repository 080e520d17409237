import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { NodeCheckpoint, NodePage } from '@forecourt/ledger';
import { deriveRecords, firstTxSeq, type NodeEvent } from './derive-records.js';

type Transaction = Parameters<typeof deriveRecords>[0];

const file = new URL('../../../../../test-e2e/testing/src/openrpc/examples.json', import.meta.url);
const { methods } = JSON.parse(readFileSync(file, 'utf8')) as {
  methods: Record<string, { readonly result: unknown }>;
};
const resultOf = <T>(method: string) => methods[method]!.result as T;

const checkpoint = resultOf<NodeCheckpoint>('iota_getCheckpoint');

describe('responses of the node’s OpenRPC specification', () => {
  it('decode as iota_getCheckpoint and iota_getCheckpoints', () => {
    const { data } = resultOf<NodePage<NodeCheckpoint>>('iota_getCheckpoints');
    for (const each of [checkpoint, ...data]) expect(firstTxSeq(each)).toBe(792_384);
  });

  it('decode as iota_getLatestCheckpointSequenceNumber', () => {
    expect(Number(resultOf('iota_getLatestCheckpointSequenceNumber'))).toBe(507_021);
  });

  it.each(['iota_getTransactionBlock', 'iota_multiGetTransactionBlocks'])(
    'decode as %s, with the events of iotax_queryEvents',
    (method) => {
      const [example] = [resultOf<Transaction | Transaction[]>(method)].flat();
      const { data: events } = resultOf<NodePage<NodeEvent>>('iotax_queryEvents');
      const transaction = { ...example!, events };
      const { digest } = transaction;
      const records = deriveRecords(transaction, { ...checkpoint, transactions: [digest] });
      expect(records.map(({ event }) => Object.keys(event)[0])).toEqual([
        'moveEvent',
        'moveEvent',
        'checkpoint',
      ]);
      expect(records[0]).toMatchObject({
        timestamp: 1_676_911_928,
        event: { moveEvent: { transactionModule: 'test', fields: 'some_value', bcs: '' } },
      });
    },
  );

  it('decode as iotax_queryTransactionBlocks', () => {
    const page = resultOf<{ data: { digest: string }[]; nextCursor: string }>(
      'iotax_queryTransactionBlocks',
    );
    expect(page.data.at(-1)?.digest).toBe(page.nextCursor);
  });
});
