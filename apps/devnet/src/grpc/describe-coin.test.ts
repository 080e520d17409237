import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fromBinary } from '@bufbuild/protobuf';
import {
  GetCoinInfoRequestSchema,
  GetCoinInfoResponseSchema,
  StateService,
} from '@forecourt/node-messages';
import { readGrpcRecording } from '@forecourt/node-messages/recorded-node';
import { toHex } from '@iota/iota-sdk/utils';
import { GrpcTestClient } from '../testing/grpc-client.test-support.js';
import { startTestDevnet, type TestDevnet } from '../testing/start-test-devnet.test-support.js';

const { getCoinInfo } = StateService.method;

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

describe('GetCoinInfo', () => {
  const recorded = readGrpcRecording().filter(({ method }) => method === 'GetCoinInfo');

  it('answers every recorded request as the real node did, apart from ids and the supply', async () => {
    expect(recorded).toHaveLength(4);
    for (const { request, responses, code, message } of recorded) {
      const asked = fromBinary(GetCoinInfoRequestSchema, Buffer.from(request, 'base64'));
      const answer = client.unary(getCoinInfo, asked);
      if (code !== 0) {
        await expect(answer).rejects.toMatchObject({ code, details: message });
        continue;
      }
      const real = fromBinary(GetCoinInfoResponseSchema, Buffer.from(responses[0]!, 'base64'));
      const own = { id: expect.anything() };
      expect(await answer).toMatchObject({
        ...real,
        metadata: { ...real.metadata, ...own },
        treasury: { ...real.treasury, ...own, totalSupply: expect.any(BigInt) },
      });
    }
  });

  it('shows the supply and the treasury of the system state, for every form of the type', async () => {
    const coinType = `0x${'0'.repeat(63)}2::iota::IOTA`;
    const { treasury } = await client.unary(getCoinInfo, { coinType });
    const state = await devnet.client.getLatestIotaSystemState();
    expect(String(treasury!.totalSupply)).toBe(state.iotaTotalSupply);
    expect(`0x${toHex(treasury!.id!.objectId)}`).toBe(state.iotaTreasuryCapId);
  });
});
