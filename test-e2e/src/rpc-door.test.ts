import { once } from 'node:events';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { call, sponsor } from './application.js';
import { EventsSocket, postRpc } from './events-client.js';
import { buildCar, createLedgerUser } from './ledger-user.js';
import { startEvents } from './start-events.js';
import { useSystem } from './use-system.js';

const request = (method: string, ...params: unknown[]) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
});

const system = useSystem({
  events: 1,
  env: { POOL_TARGET_COINS: '10', POOL_MIN_COINS: '5', RPC_NEEDS_TOKEN: 'true' },
});
let gateway: string;
beforeAll(() => {
  gateway = system.application.url;
});

const bearer = () => ({ authorization: `Bearer ${system.application.token}` });

async function tryToConnect(headers: Record<string, string>): Promise<string> {
  const socket = new WebSocket(`${gateway.replace('http', 'ws')}/rpc`, { headers });
  const outcome = await once(socket, 'open').then(
    () => 'open',
    (error: Error) => error.message,
  );
  socket.close();
  return outcome;
}

describe('a gateway that asks for a token at /rpc', () => {
  it('lets nobody without one in', async () => {
    const attempts: Record<string, string>[] = [{}, { authorization: 'Bearer wrong' }];
    for (const headers of attempts) {
      expect(await postRpc(gateway, request('ledger_getEvents', 'All'), headers)).toEqual({
        status: 401,
        body: { error: 'Invalid authorization token' },
      });
      expect(await tryToConnect(headers)).toMatch(/401/);
    }
  });

  it('lets whoever has one in, and keeps it to itself', async () => {
    const answer = await postRpc(gateway, request('ledger_getEvents', 'All', null, 1), bearer());
    expect(answer).toMatchObject({ status: 200, body: { result: { data: [expect.anything()] } } });
    expect(await tryToConnect(bearer())).toBe('open');
    for (const app of ['gateway', 'events'] as const) {
      expect(await system.services(app)[0]!.log()).not.toContain(system.application.token);
    }
  });
});

describe('the probes of the events service', () => {
  it('show how far behind the node it is, and go off with the node', async () => {
    const [events] = system.services('events');
    const ready = async () => {
      const { status, body } = await call({ url: events!.url, token: '' }, 'GET', '/health/ready');
      return { status, upstream: (body as { details?: { upstream?: object } }).details?.upstream };
    };
    expect(await ready()).toMatchObject({
      status: 200,
      upstream: {
        status: 'up',
        connected: true,
        upstream: expect.stringMatching(/^legacy 127/),
        checkpoint: expect.any(Number),
        lagCheckpoints: 0,
        lastEventAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    });
    await system.control.fault({ kind: 'down' });
    await system.until(async () => (await ready()).status === 503);
    await system.control.clearFaults();
    await system.until(async () => (await ready()).status === 200);
  });

  it('tell of a service whose node speaks today’s dialect just as well', async () => {
    const events = await startEvents({ EVENTS_UPSTREAMS: `iota+${system.ledgerUrl}` });
    const { body } = await call({ url: events.url, token: '' }, 'GET', '/health/ready');
    expect(body).toMatchObject({ details: { upstream: { connected: true, lagCheckpoints: 0 } } });
    await events.stop();
  });
});

describe('other brands’ names of the methods', () => {
  it('are served when switched on, and notifications carry them', async () => {
    const events = await startEvents({
      EVENTS_UPSTREAMS: system.ledgerUrl,
      EVENTS_METHOD_ALIASES: 'iota,sui',
    });
    for (const brand of ['ledger', 'iota', 'sui']) {
      const { body } = await postRpc(events.url, request(`${brand}_getEvents`, 'All', null, 1));
      expect(body.result).toMatchObject({ data: [expect.anything()] });
    }
    const user = await createLedgerUser(system.ledger, system.control);
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

  it('describe themselves', async () => {
    const { body } = await postRpc(gateway, request('rpc.discover'), bearer());
    const { methods } = body.result as { methods: { name: string; deprecated?: boolean }[] };
    expect(methods.map(({ name, deprecated = false }) => [name, deprecated])).toEqual([
      ['ledger_getEvents', false],
      ['ledger_subscribeEvent', true],
      ['ledger_unsubscribeEvent', true],
    ]);
  });
});

describe('without the events service', () => {
  it('/rpc says so, and sponsoring goes on', async () => {
    const [events] = system.services('events');
    events!.kill();
    await events!.exited();
    expect(await postRpc(gateway, request('ledger_getEvents', 'All'), bearer())).toMatchObject({
      status: 503,
      body: { error: { code: -32000, message: expect.stringMatching(/events/) } },
    });
    expect(await tryToConnect(bearer())).toMatch(/503/);
    expect((await sponsor(system.application)).answer.status).toBe(200);
    await events!.start();
    const answer = await postRpc(gateway, request('ledger_getEvents', 'All', null, 1), bearer());
    expect(answer.status).toBe(200);
  });
});
