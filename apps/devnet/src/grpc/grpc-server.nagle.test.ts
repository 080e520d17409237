import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientHttp2Session } from 'node:http2';
import { create, toBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { GetObjectsRequestSchema } from '@forecourt/ledger/node-messages';
import { fromHex } from '@iota/iota-sdk/utils';
import { framed, openSession, rawCall } from '../testing/raw-grpc-call.test-support.js';
import { startTestDevnet, type TestDevnet } from '../testing/start-test-devnet.test-support.js';

const GET_OBJECTS = '/iota.grpc.v1.ledger_service.LedgerService/GetObjects';
/** The time for which a kernel delays an acknowledgement. */
const ACKNOWLEDGED_MS = 40;
const CALLS = 10;

describe('the fault nagle', () => {
  let devnet: TestDevnet;
  let session: ClientHttp2Session;
  let request: Buffer;
  beforeAll(async () => {
    devnet = await startTestDevnet();
    session = openSession(devnet.urls.grpc!);
    const owner = (await devnet.fundedKey()).toIotaAddress();
    const { data } = await devnet.client.getCoins({ owner });
    const requests = data.map(({ coinObjectId }) => ({
      objectRef: { objectId: { objectId: fromHex(coinObjectId) } },
    }));
    const message = create(GetObjectsRequestSchema, { requests: { requests } });
    request = framed(toBinary(GetObjectsRequestSchema, message));
  });
  beforeEach(() => devnet.control('DELETE', '/faults'));
  afterAll(async () => {
    session.destroy();
    await devnet.stop();
  });

  /** The times of calls in ms, one after the other and ascending. */
  const timesOfCalls = async (afterRequest: () => Promise<void> = async () => undefined) => {
    const times: number[] = [];
    for (let call = 0; call < CALLS; call += 1) {
      const begin = performance.now();
      const answered = rawCall(session, GET_OBJECTS, request);
      await Promise.all([answered, afterRequest()]);
      times.push(performance.now() - begin);
    }
    return times.sort((a, b) => a - b);
  };

  /**
   * Waits until most of ten calls did not wait for an acknowledgement: a busy machine may delay them for a
   * while.
   */
  const untilFast = async (afterRequest?: () => Promise<void>) => {
    let times: number[];
    do times = await timesOfCalls(afterRequest);
    while (times[CALLS / 2]! >= ACKNOWLEDGED_MS - 5);
  };

  it('makes answers wait for an acknowledgement, on connections that are open already', async () => {
    await devnet.setFault({ kind: 'nagle' });
    const times = await timesOfCalls();
    expect(times[CALLS / 2]).toBeGreaterThan(ACKNOWLEDGED_MS - 5);
  });

  it('is off by default', () => untilFast());

  it('is overcome by a ping after the request, which acknowledges', async () => {
    await devnet.setFault({ kind: 'nagle' });
    await untilFast(async () => {
      await sleep(2);
      session.ping(() => undefined);
    });
  });
});
