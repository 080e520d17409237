import { once } from 'node:events';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { useStarted } from '@forecourt/testing/jest';
import { WebSocket } from 'ws';
import { call, sponsor } from '../support/application.js';
import { chooseDialect } from '../support/dialect-config.js';
import { postRpc } from '../support/events-client.js';
import { EventsSocket } from '../support/events-socket.js';
import { system, user } from '../support/systems/events-system.js';
import { buildCar } from '../support/ledger-user.js';
import { startEvents } from '../support/start-events.js';
import { startGateway } from '../support/start-gateway.js';

/** The dialect that the service detects at devnet. */
const DETECTED = { 'json-rpc': 'iota', grpc: 'grpc' } as const;

const request = (method: string, ...params: unknown[]) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
});

let gateway: string;
beforeAll(() => {
  gateway = system.application.url;
});

const bearer = () => ({ authorization: `Bearer ${system.application.token}` });

async function tryToConnect(url: string, headers: Record<string, string>): Promise<string> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/rpc`, { headers });
  const outcome = await once(socket, 'open').then(
    () => 'open',
    (error: Error) => error.message,
  );
  socket.close();
  return outcome;
}

describe('/rpc with RPC_NEEDS_TOKEN', () => {
  const strict = useStarted(
    () => startGateway(system, { RPC_NEEDS_TOKEN: 'true' }),
    (started) => started.stop(),
  );

  it('rejects requests and connections without a valid token', async () => {
    const attempts: Record<string, string>[] = [{}, { authorization: 'Bearer wrong' }];
    for (const headers of attempts) {
      expect(await postRpc(strict.url, request('ledger_getEvents', 'All'), headers)).toEqual({
        status: 401,
        body: { error: 'Invalid authorization token' },
      });
      expect(await tryToConnect(strict.url, headers)).toMatch(/401/);
    }
  });

  it('allows pages of other origins to send a token, and to read the reason of a refusal', async () => {
    const url = `${strict.url}/rpc`;
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example.com',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type',
      },
    });
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization');
    const refused = await fetch(url, {
      method: 'POST',
      headers: { origin: 'https://app.example.com', authorization: 'Bearer wrong' },
    });
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([
      401,
      '*',
    ]);
    expect(refused.headers.get('access-control-expose-headers')).toContain('retry-after');
  });

  it('accepts a valid token and never logs it', async () => {
    const answer = await postRpc(strict.url, request('ledger_getEvents', 'All', null, 1), bearer());
    expect(answer).toMatchObject({ status: 200, body: { result: { data: [expect.anything()] } } });
    expect(await tryToConnect(strict.url, bearer())).toBe('open');
    for (const service of [strict, system.services('events')[0]!]) {
      expect(await service.log()).not.toContain(system.application.token);
    }
  });
});

describe('the dependencies of the events service', () => {
  it('show the lag behind the node, and that the node is down, while the service stays ready', async () => {
    const [events] = system.services('events');
    const anybody = { url: events!.url, token: '' };
    const dependencies = async () => {
      const { status, body } = await call(anybody, 'GET', '/health/dependencies');
      return { status, upstream: (body as { details?: { upstream?: object } }).details?.upstream };
    };
    expect(await dependencies()).toMatchObject({
      status: 200,
      upstream: {
        status: 'up',
        connected: true,
        upstream: `${DETECTED[chooseDialect()]} ${new URL(events!.options.env['LEDGER_URL']!).host}`,
        checkpoint: expect.any(Number),
        lagCheckpoints: 0,
        lastEventAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    });
    await system.control.fault({ kind: 'down' });
    await system.until(async () => (await dependencies()).status === 503);
    expect((await call(anybody, 'GET', '/health/ready')).status).toBe(200);
    await system.control.clearFaults();
    await system.until(async () => (await dependencies()).status === 200);
  });
});

describe('method aliases of other networks', () => {
  it('are served when configured, and notifications use them', async () => {
    const events = await startEvents({
      EVENTS_UPSTREAMS: system.ledgerUrl,
      EVENTS_METHOD_ALIASES: 'iota,sui',
    });
    for (const prefix of ['ledger', 'iota', 'sui']) {
      const { body } = await postRpc(events.url, request(`${prefix}_getEvents`, 'All', null, 1));
      expect(body.result).toMatchObject({ data: [expect.anything()] });
    }
    const socket = await EventsSocket.open(events.url);
    const { result } = await socket.call('sui_subscribeEvent', [{ SenderAddress: user.address }]);
    await user.run((tx) => buildCar(tx, 'Mini', user.address));
    expect(await socket.next()).toMatchObject({
      method: 'sui_subscribeEvent',
      params: { subscription: result },
    });
    socket.close();
    await events.stop();
  });

  it('are not listed by rpc.discover, which describes the ledger methods', async () => {
    const { body } = await postRpc(gateway, request('rpc.discover'));
    const { methods } = body.result as { methods: { name: string; deprecated?: boolean }[] };
    expect(methods.map(({ name, deprecated = false }) => [name, deprecated])).toEqual([
      ['ledger_getEvents', false],
      ['ledger_subscribeEvent', true],
      ['ledger_unsubscribeEvent', true],
    ]);
  });
});

describe('a gateway without the events service', () => {
  it('responds to /rpc with 503 and still sponsors transactions', async () => {
    const [events] = system.services('events');
    events!.kill();
    await events!.exited();
    expect(await postRpc(gateway, request('ledger_getEvents', 'All'))).toMatchObject({
      status: 503,
      body: { error: { code: -32000, message: 'Events service unreachable' } },
    });
    expect(await tryToConnect(gateway, {})).toMatch(/503/);
    expect((await sponsor(system.application)).answer.status).toBe(200);
    await events!.start();
    const answer = await postRpc(gateway, request('ledger_getEvents', 'All', null, 1));
    expect(answer.status).toBe(200);
  });
});
