import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  GetEpochRequestSchema,
  GetEpochResponseSchema,
  GetServiceInfoResponseSchema,
} from '../../node-messages/index.js';
import { readGrpcRecording } from '../../recorded-node/index.js';
import { LedgerNodes } from '../nodes/ledger-nodes.js';
import { readStatus } from '../nodes/ledger-status.js';
import { frameOf } from './grpc-call.js';
import { answer, endAfterEachTest, ends, RawNode } from './raw-node.test-support.js';

endAfterEachTest();

const INFO = toBinary(
  GetServiceInfoResponseSchema,
  create(GetServiceInfoResponseSchema, { chainId: { digest: new Uint8Array(32) } }),
);
const recorded = new Map(readGrpcRecording().map((call) => [call.name, call.responses[0]!]));
const answerOf = (name: string) => new Uint8Array(Buffer.from(recorded.get(name)!, 'base64'));

/** The recorded epoch 9 and its predecessor, with this answer about the latter; null: it is refused. */
async function statusWith(
  previous: Uint8Array | null,
  current = answerOf('epochs-net/epoch-current'),
) {
  const node = await RawNode.start((stream, { ':path': path }) => {
    if (String(path).endsWith('/GetServiceInfo')) return answer(stream, [frameOf(INFO)]);
    void buffer(stream).then((body) => {
      const { epoch } = fromBinary(GetEpochRequestSchema, body.subarray(5));
      if (epoch === undefined) return answer(stream, [frameOf(current)]);
      expect(epoch).toBe(8n);
      if (previous) answer(stream, [frameOf(previous)]);
      else answer(stream, [], { 'grpc-status': '5', 'grpc-message': 'not found' });
    });
  });
  ends.push(() => node.stop());
  return readStatus(new LedgerNodes({ urls: [node.url], timeoutMs: 5_000 }));
}

const START_OF_9 = 1_795_740_365_093;

describe('the length of an epoch over gRPC', () => {
  it('is that of the epoch before, as a node recorded it', async () => {
    expect(await statusWith(answerOf('epochs-net/epoch-previous-product-mask'))).toMatchObject({
      epoch: 9n,
      epochStartedAt: START_OF_9,
      epochEndsAt: START_OF_9 + 61_137,
    });
  });

  it.each<[string, Uint8Array | null]>([
    ['refuses it', null],
    ['knows its number only', answerOf('epochs-net/epoch-next')],
  ])(
    'is unknown, so that the epoch may end at any time, where the node %s',
    async (_what, past) => {
      expect((await statusWith(past)).epochEndsAt).toBe(START_OF_9);
    },
  );

  it('is unknown in the first epoch', async () => {
    const status = await statusWith(null, answerOf('epoch/product-mask'));
    expect(status.epochEndsAt).toBe(status.epochStartedAt);
  });

  it('is not an excuse for an answer without a beginning', async () => {
    const nothing = toBinary(
      GetEpochResponseSchema,
      create(GetEpochResponseSchema, { epoch: { epoch: 9n, referenceGasPrice: 1n } }),
    );
    await expect(statusWith(null, nothing)).rejects.toThrow(/malformed/);
  });
});
