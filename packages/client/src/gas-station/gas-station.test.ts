import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { GasStation, GasStationError } from '../index.js';
import { refusal, StandInGasStation } from './stand-in-gas-station.test-support.js';

const SPONSOR = `0x${'5'.repeat(64)}`;
const USER = `0x${'a'.repeat(64)}`;
const COIN = {
  objectId: `0x${'c'.repeat(64)}`,
  version: 3,
  digest: '11111111111111111111111111111111',
};
const EFFECTS = { status: { status: 'success' }, transactionDigest: 'D1', newField: 1 };

let server: StandInGasStation;
let station: GasStation;
beforeAll(async () => {
  server = await StandInGasStation.start();
  station = new GasStation({ url: `${server.url}/`, token: 'secret' });
});
beforeEach(() => server.clear());
afterAll(() => server.stop());

/** The request that the server received and the result that the client returned. */
async function ask<T>(body: unknown, call: () => Promise<T>) {
  server.respond = () => ({ body });
  const result = await call();
  return { request: server.requests[0]!, result };
}

describe('GasStation', () => {
  it('reserves gas coins', async () => {
    const body = {
      result: { sponsor_address: SPONSOR, reservation_id: 7, gas_coins: [COIN] },
    };
    const { request, result } = await ask(body, () =>
      station.reserve({ gasBudget: 10_000_000, durationSecs: 60 }),
    );
    expect(request).toMatchObject({
      method: 'POST',
      path: '/v1/reserve_gas',
      body: { gas_budget: 10_000_000, reserve_duration_secs: 60 },
    });
    expect(request.headers).toMatchObject({
      authorization: 'Bearer secret',
      'content-type': 'application/json',
    });
    expect(result).toEqual({ reservationId: 7, sponsorAddress: SPONSOR, gasCoins: [COIN] });
  });

  it('executes a transaction, given as bytes or as base64', async () => {
    for (const transaction of [Uint8Array.of(1, 2, 3), 'AQID']) {
      server.clear();
      const { request, result } = await ask({ effects: EFFECTS, error: null }, () =>
        station.execute({ reservationId: 7, transaction, signature: 'AA==' }),
      );
      expect(request).toMatchObject({ method: 'POST', path: '/v1/execute_tx' });
      expect(request.body).toEqual({ reservation_id: 7, tx_bytes: 'AQID', user_sig: 'AA==' });
      expect(result).toEqual({ digest: 'D1', effects: EFFECTS });
    }
  });

  it('asks for details of an execution, and returns them', async () => {
    const details = {
      events: [{ type: 'E' }],
      object_changes: [{ type: 'created' }],
      balance_changes: [{ amount: '-1' }],
      input: { sender: USER },
    };
    const options = { showEvents: true, showObjectChanges: true };
    const { request, result } = await ask({ effects: EFFECTS, ...details }, () =>
      station.execute({
        reservationId: 7,
        transaction: 'AQID',
        signature: 'AA==',
        requestType: 'waitForLocalExecution',
        options,
      }),
    );
    expect(request.body).toMatchObject({ request_type: 'waitForLocalExecution', options });
    expect(result).toEqual({
      digest: 'D1',
      effects: EFFECTS,
      events: details.events,
      objectChanges: details.object_changes,
      balanceChanges: details.balance_changes,
      input: details.input,
    });
  });

  it('releases a reservation', async () => {
    for (const released of [true, false]) {
      const { request, result } = await ask({ result: { released } }, () => station.release(7));
      expect(request).toMatchObject({ path: '/v1/release_gas', body: { reservation_id: 7 } });
      expect(result).toBe(released);
    }
  });

  it('dry-runs a transaction, with exact amounts', async () => {
    const body = {
      result: {
        sponsored: {
          allowed: false,
          rule: 'no strangers',
          reason: 'sender',
          limits: [],
        },
        execution: { status: 'failure', error: 'MoveAbort' },
        gas: {
          computation_cost: '18446744073709551615',
          storage_cost: '2',
          storage_rebate: '3',
          net_cost: '-9007199254740993',
          suggested_budget: 5,
        },
        balance_changes: [{ amount: '1' }],
        object_changes: [],
        events: [],
      },
    };
    const { request, result } = await ask(body, () =>
      station.dryRun({ sender: USER, kind: Uint8Array.of(1), gasBudget: 9 }),
    );
    expect(request.path).toBe('/v1/dry_run_tx');
    expect(request.body).toEqual({ sender: USER, kind_bytes: 'AQ==', gas_budget: 9 });
    expect(result).toEqual({
      sponsored: body.result.sponsored,
      execution: body.result.execution,
      gas: {
        computationCost: 18_446_744_073_709_551_615n,
        storageCost: 2n,
        storageRebate: 3n,
        netCost: -9_007_199_254_740_993n,
        suggestedBudget: 5,
      },
      balanceChanges: [{ amount: '1' }],
      objectChanges: [],
      events: [],
    });
  });

  it.each(['"1.2.3-0123456789ab"', '1.2.3-0123456789ab'])(
    'reads the version from %s',
    async (body) => {
      const { request, result } = await ask(body, () => station.status());
      expect(request).toMatchObject({ method: 'GET', path: '/version', text: '' });
      expect(result).toEqual({ version: '1.2.3-0123456789ab' });
    },
  );

  it('sends no token if it has none', async () => {
    const anonymous = new GasStation({ url: server.url });
    const { request } = await ask('"1.2.3"', () => anonymous.status());
    expect(request.headers.authorization).toBeUndefined();
  });

  it.each([
    [{ url: 'gas.example.com' }, /url must be .*"gas\.example\.com"/],
    [{ url: '/gas' }, /url must be/],
    [{ url: 'ftp://gas.example.com' }, /url must be/],
    [{ url: 'http://user:word@gas.example.com' }, /url must be/],
    [{ url: 'http://gas.example.com', timeoutMs: 0 }, /timeoutMs must be above 0; got 0/],
    [{ url: 'http://gas.example.com', timeoutMs: Number.NaN }, /timeoutMs .*NaN/],
  ])('refuses the options %p', (options, message) => {
    expect(() => new GasStation(options)).toThrow(message);
  });

  it('refuses a token that no header can carry, without showing it', () => {
    const create = () => new GasStation({ url: server.url, token: 'two\nlines' });
    expect(create).toThrow(TypeError);
    expect(create).toThrow(/^(?!.*two).*token must consist of visible ASCII/s);
  });

  it('refuses bytes that are not base64, and names them', async () => {
    for (const transaction of ['AQ-_', undefined as unknown as string]) {
      const request = { reservationId: 7, transaction, signature: 'AA==' };
      await expect(station.execute(request)).rejects.toThrow(
        /^transaction must be bytes or base64/,
      );
    }
    expect(server.requests).toEqual([]);
  });
});

describe('GasStationError', () => {
  /** The error of a call that the server answers with this response. */
  async function errorOf(respond: StandInGasStation['respond']): Promise<GasStationError> {
    server.respond = respond;
    const failed = station.reserve({ gasBudget: 0, durationSecs: 60 });
    return failed.then(
      () => Promise.reject(new Error('no error')),
      (error: unknown) => error as GasStationError,
    );
  }

  it('has the code, status and message of a refusal', async () => {
    const message = 'gas_budget must be an integer from 1 to 1999999999; got 0';
    const error = await errorOf(() => refusal(400, 'INVALID_REQUEST', message));
    expect(error).toBeInstanceOf(GasStationError);
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', status: 400, message, isRefusal: true });
    expect(error.retryAfterMs).toBeUndefined();
    expect(error.pending).toBeUndefined();
    expect(server.requests).toHaveLength(1);
  });

  it('returns the delay after a limit, for which it does not wait', async () => {
    const error = await errorOf(() => refusal(429, 'SPENDING_LIMIT', 'Limit', 7));
    expect(error).toMatchObject({ code: 'SPENDING_LIMIT', status: 429, retryAfterMs: 7_000 });
    expect(server.requests).toHaveLength(1);
  });

  it('reads a date in Retry-After, and ignores unreadable values', async () => {
    const date = new Date(Date.now() + 60_000).toUTCString();
    const dated = await errorOf(() => refusal(429, 'RATE_LIMITED', 'Limit', date));
    expect(dated.retryAfterMs).toBeGreaterThan(50_000);
    expect(dated.retryAfterMs).toBeLessThanOrEqual(60_000);
    const odd = await errorOf(() => refusal(429, 'RATE_LIMITED', 'Limit', 'soon'));
    expect(odd.retryAfterMs).toBeUndefined();
  });

  it.each([
    ['a page of a proxy', { status: 403, body: '<html>' }, 403, /answered with status 403/],
    ['a body without a code', { status: 500, body: { error: 'Oh' } }, 500, /^Oh$/],
    [
      'a code that is none',
      { status: 400, headers: { 'error-code': 'x y' }, body: { error: 'Oh' } },
      400,
      /^Oh$/,
    ],
    ['a success that is not JSON', { body: '<html>' }, 200, /cannot be read/],
    ['a success without a result', { body: {} }, 200, /result must be of type object/],
    [
      'a success of another form',
      { body: { result: { reservation_id: '7' } } },
      200,
      /reservationId must be of type number/,
    ],
  ])('reports %s as an unexpected answer', async (_name, response, status, message) => {
    const error = await errorOf(() => response);
    expect(error).toMatchObject({ code: 'UNEXPECTED_ANSWER', status });
    expect(error.message).toMatch(message);
  });
});
