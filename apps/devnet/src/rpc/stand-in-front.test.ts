import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import WebSocket from 'ws';
import { startTestDevnet, type TestDevnet } from '../testing/start-test-devnet.test-support.js';

const CALL = { jsonrpc: '2.0', id: 1, method: 'iota_getChainIdentifier', params: [] };
const UNKNOWN = '11111111111111111111111111111111';

describe('faults in front of the node', () => {
  let devnet: TestDevnet;
  beforeAll(async () => {
    devnet = await startTestDevnet();
  });
  afterEach(async () => {
    await devnet.control('DELETE', '/faults');
    await devnet.control('DELETE', '/node');
  });
  afterAll(() => devnet.stop());

  const post = (message: unknown = CALL, headers: Record<string, string> = {}) =>
    fetch(devnet.urls.rpc, { method: 'POST', headers, body: JSON.stringify(message) });

  /** The status with which a WebSocket is refused; 101 when it opens. */
  function connect(headers: Record<string, string> = {}): Promise<number | undefined> {
    const socket = new WebSocket(devnet.urls.rpc.replace('http', 'ws'), { headers });
    return new Promise((resolve, reject) => {
      socket.once('error', reject);
      socket.once('unexpected-response', (_request, response) => resolve(response.statusCode));
      socket.once('open', () => {
        socket.terminate();
        resolve(101);
      });
    });
  }

  it('answer with HTTP 429 and Retry-After (rateLimit)', async () => {
    await devnet.setFault({ kind: 'rateLimit', retryAfterSecs: 7, times: 1 });
    const limited = await post();
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7']);
    expect((await post()).status).toBe(200);
  });

  it('answer with HTTP 200 and -32009 (rateLimit)', async () => {
    await devnet.setFault({ kind: 'rateLimit', as: 'error', times: 1 });
    const limited = await post();
    expect(limited.status).toBe(200);
    expect(await limited.json()).toMatchObject({ id: 1, error: { code: -32009 } });
  });

  it.each(['status', 'error'])('decline calls beyond perSecond (rateLimit): %s', async (as) => {
    await devnet.setFault({ kind: 'rateLimit', as, perSecond: 2 });
    const answers = [];
    for (let call = 0; call < 3; call++) {
      const response = await post();
      const text = await response.text();
      answers.push(response.status === 429 || text.includes('-32009'));
    }
    expect(answers).toEqual([false, false, true]);
  });

  it('count answers that a transaction is not found (rateLimit)', async () => {
    await devnet.setFault({ kind: 'rateLimit', perSecond: 1, of: 'notFound' });
    const find = () => post({ ...CALL, method: 'iota_getTransactionBlock', params: [UNKNOWN] });
    expect((await post()).status).toBe(200);
    expect((await post()).status).toBe(200);
    expect((await find()).status).toBe(200);
    expect((await find()).status).toBe(429);
  });

  it('apply to one method, and count the calls that they decline (rateLimit)', async () => {
    await devnet.control('DELETE', '/counters');
    await devnet.setFault({ kind: 'rateLimit', method: CALL.method });
    expect((await post()).status).toBe(429);
    expect((await post({ ...CALL, method: 'iotax_getReferenceGasPrice' })).status).toBe(200);
    expect(await devnet.control('GET', '/counters')).toMatchObject({
      requests: { [CALL.method]: 1, iotax_getReferenceGasPrice: 1 },
    });
  });

  it('answer with a body that is not JSON-RPC (httpReply)', async () => {
    await devnet.setFault({ kind: 'httpReply', status: 502, times: 1 });
    const html = await post();
    expect([html.status, html.headers.get('content-type')]).toEqual([502, 'text/html']);
    expect(await html.text()).toContain('<html>');
    const body = '{"status":"ok"}';
    const json = { kind: 'httpReply', status: 200, contentType: 'application/json', body };
    await devnet.setFault({ ...json, times: 1 });
    expect(await (await post()).json()).toEqual({ status: 'ok' });
    expect(await (await post()).json()).toMatchObject({ result: devnet.chainIdentifier });
  });

  it('refuse WebSockets (httpReply)', async () => {
    await devnet.setFault({ kind: 'httpReply', status: 503, method: 'upgrade', times: 1 });
    expect((await post()).status).toBe(200);
    expect(await connect()).toBe(503);
    expect(await connect()).toBe(101);
  });

  it('answer 401 to a request without a required header, 403 to one with another value', async () => {
    const right = { 'x-api-key': 'k1', authorization: 'Basic dTpw' };
    await devnet.control('POST', '/node', {
      requiredHeaders: { 'X-API-Key': 'k1', authorization: 'Basic dTpw' },
    });
    const statuses = [
      (await post()).status,
      (await post(CALL, { 'x-api-key': 'k1' })).status,
      (await post(CALL, { ...right, 'x-api-key': 'k2' })).status,
      (await post(CALL, right)).status,
      await connect(),
      await connect(right),
    ];
    expect(statuses).toEqual([401, 401, 403, 200, 401, 101]);
    expect((await fetch(`${devnet.urls.rpc}/health/live`)).status).toBe(200);
  });

  it('refuse batches of JSON-RPC requests', async () => {
    const response = await post([CALL, { ...CALL, id: 2 }]);
    expect(await response.json()).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32005, message: 'Batched requests are not supported by this server' },
    });
  });
});
