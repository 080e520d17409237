import { Transaction } from '@iota/iota-sdk/transactions';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { createBackend } from './create-backend.js';

const TOKEN = 'the-token-that-nobody-sees';
const LIMITS = { perAddress: 2, perClient: 3, inAll: 100, windowMs: 60_000 };
const [ALICE, BOB] = ['a11ce', 'b0b'].map((name) => `0x${name.padStart(64, '0')}`) as [
  string,
  string,
];

let gasStation: FastifyInstance;
let backend: FastifyInstance;
/** Requests that the gas station received. */
let received: { path: string; authorization: string | undefined; body: unknown }[];
/** Instead of a success. */
let refusal: { status: number; code: string } | null;

beforeEach(async () => {
  received = [];
  refusal = null;
  gasStation = fastify();
  gasStation.post('/v1/*', async ({ url, headers: { authorization }, body }, reply) => {
    received.push({ path: url, authorization, body });
    if (refusal) {
      const headers = { 'error-code': refusal.code, 'retry-after': '7', 'x-inside': 'secret' };
      return reply.code(refusal.status).headers(headers).send({ error: 'no' });
    }
    const reservation_id = received.length;
    return { result: { reservation_id, tx_bytes: `bytes ${reservation_id}` }, effects: {} };
  });
  const gasStationUrl = await gasStation.listen({ host: '127.0.0.1', port: 0 });
  backend = createBackend({ gasStationUrl, token: TOKEN, limits: LIMITS });
});
afterEach(async () => {
  await backend.close();
  await gasStation.close();
});

async function carOf(owner: string, model = 'Mini'): Promise<string> {
  const tx = new Transaction();
  const args = [tx.pure.string(model), tx.pure.address(owner)];
  tx.moveCall({ target: '0xdec0::garage::build_car', arguments: args });
  return Buffer.from(await tx.build({ onlyTransactionKind: true })).toString('base64');
}

const post = (path: string, payload: object, forwardedFor = '192.0.2.1') =>
  backend.inject({
    method: 'POST',
    url: `/gas/v1/${path}`,
    payload,
    headers: { 'x-forwarded-for': forwardedFor },
  });

const build = async (sender = ALICE, forwardedFor?: string) =>
  post('build_tx', { sender, kind_bytes: await carOf(sender) }, forwardedFor);

const execute = (reservation_id: number, tx_bytes: string) =>
  post('execute_tx', { reservation_id, tx_bytes, user_sig: 'signature' });

describe('the backend', () => {
  it('the backend adds the token and its own budget, and forwards only known fields', async () => {
    const body = { sender: ALICE, kind_bytes: await carOf(ALICE) };
    const greedy = { gas_budget: 1_999_999_999, reserve_duration_secs: 600, sponsor_address: BOB };
    const answer = await post('build_tx', { ...body, ...greedy });
    expect(answer.statusCode).toBe(200);
    expect(received).toEqual([
      {
        path: '/v1/build_tx',
        authorization: `Bearer ${TOKEN}`,
        body: { ...body, gas_budget: 10_000_000, reserve_duration_secs: 60 },
      },
    ]);
    expect(answer.body + JSON.stringify(answer.headers)).not.toContain(TOKEN);
  });

  it('the backend has a transaction that it built executed, also repeatedly', async () => {
    await build();
    expect([
      (await execute(1, 'bytes 1')).statusCode,
      (await execute(1, 'bytes 1')).statusCode,
    ]).toEqual([200, 200]);
    expect(received[1]).toMatchObject({
      path: '/v1/execute_tx',
      body: { reservation_id: 1, tx_bytes: 'bytes 1', user_sig: 'signature' },
    });
  });

  it('the backend refuses to have other transactions executed', async () => {
    await build();
    await build(BOB);
    const answers = [
      await execute(1, 'other bytes'),
      await execute(1, 'bytes 2'),
      await execute(99, 'bytes 1'),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403]);
    expect(answers[0]!.headers['error-code']).toBe('NOT_BUILT_HERE');
    expect(received).toHaveLength(2);
  });

  it('the backend limits the attempts to execute a transaction', async () => {
    await build();
    const statuses = new Set<number>();
    for (let count = 0; count < 40; count++) {
      statuses.add((await execute(1, 'bytes 1')).statusCode);
    }
    expect([...statuses]).toEqual([200, 403]);
    expect(received.length).toBeLessThan(40);
  });

  it('the backend refuses to build transactions that are not sponsored', async () => {
    const tx = new Transaction();
    tx.moveCall({ target: '0x2::clock::timestamp_ms', arguments: [tx.pure.u64(1)] });
    const bytes = await tx.build({ onlyTransactionKind: true });
    const kind_bytes = Buffer.from(bytes).toString('base64');
    const answer = await post('build_tx', { sender: ALICE, kind_bytes });
    expect([answer.statusCode, answer.headers['error-code']]).toEqual([403, 'NOT_SPONSORED']);
    expect(received).toEqual([]);
  });

  it('the backend has no other routes', async () => {
    for (const path of ['reserve_gas', 'release_gas', 'dry_run_tx', 'pause', '../v1/reserve_gas']) {
      expect([path, (await post(path, {})).statusCode]).toEqual([path, 404]);
    }
    expect((await backend.inject('/debug_health_check')).statusCode).toBe(404);
    expect(received).toEqual([]);
  });

  it('the backend limits each address, with a message for the visitor', async () => {
    expect([(await build()).statusCode, (await build()).statusCode]).toEqual([200, 200]);
    const refused = await build();
    expect([refused.statusCode, refused.headers['error-code']]).toEqual([429, 'VISITOR_LIMIT']);
    expect(refused.json()).toEqual({
      error: 'You have had your 2 sponsored transactions. Try again in 1 min.',
    });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await build(BOB)).statusCode).toBe(200);
    expect(received).toHaveLength(3);
  });

  it('the backend limits each client, whatever addresses it makes or writes into headers', async () => {
    const statuses = [];
    for (let count = 0; count < 5; count++) {
      const sender = `0x${String(count).padStart(64, '0')}`;
      statuses.push((await build(sender, `198.51.100.${count}, 192.0.2.1`)).statusCode);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect((await build(ALICE, '192.0.2.2')).statusCode).toBe(200);
  });

  it('the backend accepts addresses in full form only', async () => {
    const kind_bytes = await carOf(ALICE);
    for (const sender of [ALICE.toUpperCase(), '0xa11ce', ALICE.slice(2), '', 7]) {
      const answer = await post('build_tx', { sender, kind_bytes });
      expect([sender, answer.statusCode]).toEqual([sender, 400]);
    }
    expect(received).toEqual([]);
  });

  it('the backend does not count requests that the gas station answers with 429 or 503', async () => {
    refusal = { status: 503, code: 'NO_COINS' };
    for (let count = 0; count < 5; count++) expect((await build()).statusCode).toBe(503);
    refusal = { status: 400, code: 'TRANSACTION_WOULD_FAIL' };
    expect((await build()).statusCode).toBe(400);
    refusal = null;
    expect([(await build()).statusCode, (await build()).statusCode]).toEqual([200, 429]);
  });

  it('the backend forwards the gas station’s error and no other header', async () => {
    refusal = { status: 503, code: 'NO_COINS' };
    const { headers, body } = await build();
    expect(headers).toMatchObject({ 'error-code': 'NO_COINS', 'retry-after': '7' });
    expect(headers['x-inside']).toBeUndefined();
    expect(body).toBe('{"error":"no"}');
  });

  it('the backend answers 502 when the gas station cannot be reached', async () => {
    await gasStation.close();
    const answer = await build();
    expect([answer.statusCode, answer.json()]).toEqual([
      502,
      { error: 'The gas station cannot be reached or does not respond' },
    ]);
  });

  it('the backend does not accept calls from pages of other origins', async () => {
    const payload = JSON.stringify({ sender: ALICE, kind_bytes: await carOf(ALICE) });
    const url = '/gas/v1/build_tx';
    const origin = 'https://evil.example';
    const form = await backend.inject({
      method: 'POST',
      url,
      payload,
      headers: { origin, 'content-type': 'text/plain' },
    });
    const preflight = await backend.inject({
      method: 'OPTIONS',
      url,
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    expect([form.statusCode, preflight.statusCode]).toEqual([400, 404]);
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined();
    expect(received).toEqual([]);
  });

  it('the backend refuses invalid bodies', async () => {
    const huge = await post('build_tx', { sender: ALICE, kind_bytes: 'A'.repeat(40_000) });
    const long = await post('build_tx', { sender: ALICE, kind_bytes: 'A'.repeat(10_000) });
    expect([huge.statusCode, long.statusCode]).toEqual([413, 400]);
  });
});
