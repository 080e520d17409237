import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import {
  GetEpochResponseSchema,
  GetServiceInfoResponseSchema,
  LedgerService,
  serviceDefinition,
} from '../../node-messages/index.js';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { LedgerNodes } from './ledger-nodes.js';
import { readStatus } from './ledger-status.js';
import { type Response, StandInNode } from './stand-in-node.test-support.js';

const CHAIN = 'a1b2c3d4';
const GAS_PRICE = 1_234n;

const server = new Server();
let grpcUrl: string;
beforeAll(async () => {
  const digest = Buffer.alloc(32).fill(Buffer.from(CHAIN, 'hex'), 0, 4);
  const info = { chainId: { digest: new Uint8Array(digest) }, executedCheckpointHeight: 7n };
  const epoch = {
    epoch: 3n,
    start: { seconds: 1_760_000_000n, nanos: 0 },
    referenceGasPrice: GAS_PRICE,
    protocolConfig: { protocolVersion: 12n },
  };
  type Reply = (error: null, value: unknown) => void;
  server.addService(serviceDefinition(LedgerService), {
    GetServiceInfo: (_call: unknown, reply: Reply) =>
      reply(null, create(GetServiceInfoResponseSchema, info)),
    GetEpoch: (_call: unknown, reply: Reply) =>
      reply(null, create(GetEpochResponseSchema, { epoch })),
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  grpcUrl = `grpc://127.0.0.1:${port}`;
});
afterAll(() => server.forceShutdown());

describe('nodes of both dialects', () => {
  it.each([4, 5, 20])(
    'give the state of the ledger if the one over JSON-RPC, of protocol %d, fails in between',
    async (protocol) => {
      const respond = ({ method }: { method: string }): Response =>
        method === 'iota_getProtocolConfig'
          ? { result: { maxSupportedProtocolVersion: String(protocol), attributes: {} } }
          : 'reset';
      const failing = await StandInNode.start(respond, CHAIN);
      const client = new LedgerNodes({ urls: [failing.url, grpcUrl], timeoutMs: 5_000 });
      expect(await client.confirmed(readStatus)).toMatchObject({
        epoch: 3n,
        referenceGasPrice: GAS_PRICE,
      });
      await failing.stop();
    },
  );
});
