import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { GasStation, GasStationError } from '../index.js';
import { refusal, type Response, StandInGasStation } from './stand-in-gas-station.test-support.js';

const EXECUTE = '/v1/execute_tx';
const RESERVE = '/v1/reserve_gas';
const SIGNED = { reservationId: 7, transaction: 'AQID', signature: 'AA==' };
const EXECUTED: Response = {
  body: { effects: { status: { status: 'success' }, transactionDigest: 'D1' }, error: null },
};
const UNKNOWN = refusal(503, 'OUTCOME_UNKNOWN', 'The outcome is not known yet', 0);

let server: StandInGasStation;
let station: GasStation;
beforeEach(async () => {
  server = await StandInGasStation.start();
  station = new GasStation({ url: server.url, token: 'secret' });
});
afterEach(() => server.stop());

/** Answers each request with the next response, and further ones with the last. */
function respondWith(...responses: Response[]): void {
  let next = 0;
  server.respond = () => responses[Math.min(next++, responses.length - 1)]!;
}

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => Promise.reject(new Error('no error')),
    (error: unknown) => error,
  );

describe('repeated calls', () => {
  it.each<[string, Response]>([
    ['an unknown outcome', UNKNOWN],
    ['a connection that is lost', 'lost'],
    ['a connection that is lost in the middle of the answer', 'cut'],
    ['a proxy without a gas station', { status: 502, body: '<html>' }],
    ['a proxy that waited for too long', { status: 504, body: '<html>' }],
  ])('send the same bytes of execute again after %s', async (_name, response) => {
    respondWith(response, response, EXECUTED);
    const { digest } = await station.execute(SIGNED);
    expect(digest).toBe('D1');
    const texts = server.requestsTo(EXECUTE).map(({ text }) => text);
    expect(texts).toHaveLength(3);
    expect(new Set(texts).size).toBe(1);
  });

  it('wait at least as long as Retry-After says', async () => {
    respondWith(refusal(503, 'NO_COINS', 'No coins', 1), {
      body: { result: { sponsor_address: '0x5', reservation_id: 7, gas_coins: [] } },
    });
    const before = performance.now();
    await station.reserve({ gasBudget: 1, durationSecs: 60 });
    expect(performance.now() - before).toBeGreaterThanOrEqual(990);
    expect(server.requests).toHaveLength(2);
  });

  it('end with the last answer if the next attempt would be too late', async () => {
    respondWith(refusal(503, 'NO_COINS', 'No coins', 60));
    const error = await failureOf(station.reserve({ gasBudget: 1, durationSecs: 60 }));
    expect(error).toMatchObject({ code: 'NO_COINS', status: 503, retryAfterMs: 60_000 });
    expect(server.requests).toHaveLength(1);
  });

  it.each<[string, Response, object]>([
    ['lost connections', 'lost', { code: 'UNREACHABLE', status: undefined }],
    ['timeouts of a proxy', { status: 504 }, { code: 'UNEXPECTED_ANSWER', status: 504 }],
  ])(
    'end after two %s of reserve: each may have reserved coins',
    async (_name, response, wanted) => {
      respondWith(response);
      const error = await failureOf(station.reserve({ gasBudget: 1, durationSecs: 60 }));
      expect(error).toMatchObject(wanted);
      expect(server.requestsTo(RESERVE)).toHaveLength(3);
    },
  );

  it('do not follow a refusal', async () => {
    respondWith(refusal(400, 'REFUSED_BY_LEDGER', 'Object is stale'), EXECUTED);
    const error = (await failureOf(station.execute(SIGNED))) as GasStationError;
    expect(error).toMatchObject({ code: 'REFUSED_BY_LEDGER', message: 'Object is stale' });
    expect(error.pending).toBeUndefined();
    expect(server.requests).toHaveLength(1);
  });

  it.each<[string, Response]>([
    ['an unknown outcome', UNKNOWN],
    ['a lost connection', 'lost'],
  ])('leave the outcome unknown if they are refused after %s', async (_name, first) => {
    const limited = refusal(429, 'RATE_LIMITED', 'Too many requests', 1);
    respondWith(first, limited, EXECUTED);
    const error = (await failureOf(station.execute(SIGNED))) as GasStationError;
    expect(error).toMatchObject({ code: 'RATE_LIMITED', isRefusal: false, pending: SIGNED });
    expect((await station.execute(error.pending!)).digest).toBe('D1');
  });

  it('do not follow a defect of the gas station, whose outcome is unknown', async () => {
    respondWith(refusal(500, 'INTERNAL', 'Internal error 1'), EXECUTED);
    const error = await failureOf(station.execute(SIGNED));
    expect(error).toMatchObject({ code: 'INTERNAL', pending: SIGNED });
    expect(server.requests).toHaveLength(1);
  });
});

describe('the time limit', () => {
  it.each<[string, Response, string]>([
    ['silence', 'silence', 'TIMEOUT'],
    ['an unknown outcome', UNKNOWN, 'OUTCOME_UNKNOWN'],
    ['lost connections', 'lost', 'UNREACHABLE'],
  ])('ends %s, and the error contains the request to repeat', async (_name, response, code) => {
    respondWith(response);
    const error = (await failureOf(station.execute(SIGNED, { timeoutMs: 600 }))) as GasStationError;
    expect(error).toBeInstanceOf(GasStationError);
    expect(error).toMatchObject({ code, pending: SIGNED });
    respondWith(EXECUTED);
    expect((await station.execute(error.pending!)).digest).toBe('D1');
    const texts = server.requestsTo(EXECUTE).map(({ text }) => text);
    expect(new Set(texts).size).toBe(1);
  });

  it('also ends a fetch that ignores signals', async () => {
    const deaf = new GasStation({
      url: server.url,
      fetch: () => new Promise(() => undefined),
      timeoutMs: 50,
    });
    expect(await failureOf(deaf.status())).toMatchObject({ code: 'TIMEOUT' });
  });

  it('may be longer than the longest timer', async () => {
    respondWith(EXECUTED);
    for (const timeoutMs of [Infinity, 2 ** 40]) {
      expect((await station.execute(SIGNED, { timeoutMs })).digest).toBe('D1');
    }
  });
});

describe('a signal', () => {
  it('aborts a call that waits for its answer', async () => {
    respondWith('silence');
    const controller = new AbortController();
    const failure = failureOf(station.execute(SIGNED, { signal: controller.signal }));
    await server.untilReceived(EXECUTE);
    const reason = new Error('the user left');
    controller.abort(reason);
    expect(await failure).toBe(reason);
    expect(server.requests).toHaveLength(1);
  });

  it('aborts a call that waits for its next attempt', async () => {
    const controller = new AbortController();
    const reason = new Error('the user left');
    server.respond = () => {
      setTimeout(() => controller.abort(reason), 50);
      return refusal(503, 'NO_COINS', 'No coins', 30);
    };
    const request = { gasBudget: 1, durationSecs: 60 };
    expect(await failureOf(station.reserve(request, { signal: controller.signal }))).toBe(reason);
    expect(server.requests).toHaveLength(1);
  });

  it('prevents the call if it aborted before', async () => {
    const signal = AbortSignal.abort();
    expect(await failureOf(station.status({ signal }))).toBe(signal.reason);
    expect(server.requests).toEqual([]);
  });
});
