import { describe, expect, it } from '@jest/globals';
import { fromBinary } from '@bufbuild/protobuf';
import {
  GetCoinInfoRequestSchema,
  GetCoinInfoResponseSchema,
  StateService,
} from '@forecourt/ledger/node-messages';
import { readGrpcRecording } from '@forecourt/ledger/recorded-node';
import { toHex } from '@iota/iota-sdk/utils';
import { useDevnet } from '../testing/use-devnet.test-support.js';

const { getCoinInfo } = StateService.method;

const own = useDevnet();

describe('GetCoinInfo', () => {
  const recorded = readGrpcRecording().filter(({ method }) => method === 'GetCoinInfo');

  it('answers every recorded request as the real node did, apart from ids and the supply', async () => {
    expect(recorded).toHaveLength(4);
    for (const { request, responses, code, message } of recorded) {
      const question = fromBinary(GetCoinInfoRequestSchema, Buffer.from(request, 'base64'));
      const answer = own.grpc.unary(getCoinInfo, question);
      if (code !== 0) {
        await expect(answer).rejects.toMatchObject({ code, details: message });
        continue;
      }
      const real = fromBinary(GetCoinInfoResponseSchema, Buffer.from(responses[0]!, 'base64'));
      const ids = { id: expect.anything() };
      expect(await answer).toMatchObject({
        ...real,
        metadata: { ...real.metadata, ...ids },
        treasury: { ...real.treasury, ...ids, totalSupply: expect.any(BigInt) },
      });
    }
  });

  it('shows the supply and the treasury of the system state, for every form of the type', async () => {
    const coinType = `0x${'0'.repeat(63)}2::iota::IOTA`;
    const { treasury } = await own.grpc.unary(getCoinInfo, { coinType });
    const state = await own.devnet.client.getLatestIotaSystemState();
    expect(String(treasury!.totalSupply)).toBe(state.iotaTotalSupply);
    expect(`0x${toHex(treasury!.id!.objectId)}`).toBe(state.iotaTreasuryCapId);
  });
});
