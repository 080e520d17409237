import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { CLIENT_HEADER } from '@forecourt/admission';
import { type Endpoint, parseNetworks } from '@forecourt/runtime/config';
import { Tokens } from '@forecourt/policy/tokens';
import { type FastifyInstance, fastify } from 'fastify';
import { forwardRpc, type ForwardRpcOptions } from './forward-rpc.js';
import { RpcAdmission } from './rpc-admission.js';
import { RoundRobin } from '../replicas/round-robin.js';

const LIMITS = {
  perSecond: 100,
  requestsInAll: 160,
  socketsInAll: 160,
};
const CALL = '{"jsonrpc":"2.0","id":1,"method":"ledger_getEvents"}';

const started: Server[] = [];
let gateway: FastifyInstance | undefined;
afterEach(async () => {
  await gateway?.close();
  for (const server of started.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

type Respond = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A replica of the events service. */
async function aReplica(respond: Respond): Promise<Endpoint> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => respond(request, response, body));
  });
  started.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

/** The address of a listener that has closed. */
async function aDeadReplica(): Promise<Endpoint> {
  const endpoint = await aReplica(() => undefined);
  const server = started.pop()!;
  server.close();
  await once(server, 'close');
  return endpoint;
}

async function start(
  replicas: Endpoint[],
  options: Partial<ForwardRpcOptions> & { readonly limits?: Partial<typeof LIMITS> } = {},
) {
  const { limits, ...rest } = options;
  gateway = fastify({ bodyLimit: 1_000 });
  const admission = new RpcAdmission({ ...LIMITS, ...limits }, parseNetworks(''));
  forwardRpc(gateway, {
    replicas: new RoundRobin(replicas),
    timeoutMs: 5_000,
    admission,
    bodyLimitBytes: 1_000,
    ...rest,
  });
  await gateway.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(gateway.server.address() as AddressInfo).port}/rpc`;
  return (init: RequestInit = {}) => fetch(url, { method: 'POST', body: CALL, ...init });
}

describe('calls of the events service that are forwarded', () => {
  it('reach a replica as they are, with the client’s address, and its answer comes back', async () => {
    const seen: unknown[] = [];
    const replica = await aReplica(({ method, url, headers }, response, body) => {
      seen.push([method, url, headers['content-type'], headers[CLIENT_HEADER], body]);
      response.writeHead(418, { 'content-type': 'text/x', 'retry-after': '9', 'x-own': 'kept' });
      response.end('answer');
    });
    const post = await start([replica]);
    const answer = await post();
    expect(seen).toEqual([['POST', '/rpc', 'application/json', '127.0.0.1', CALL]]);
    const { headers } = answer;
    expect([answer.status, await answer.text()]).toEqual([418, 'answer']);
    expect([headers.get('content-type'), headers.get('retry-after')]).toEqual(['text/x', '9']);
    expect(headers.get('x-own')).toBeNull();
  });

  it('go to the next replica where one cannot be reached', async () => {
    const replica = await aReplica((_request, response) => response.end('answer'));
    const post = await start([await aDeadReplica(), replica]);
    for (let calls = 0; calls < 2; calls++) expect(await (await post()).text()).toBe('answer');
  });

  it('are answered with 503 where none can be reached', async () => {
    const post = await start([await aDeadReplica()]);
    const answer = await post();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await answer.json()).toMatchObject({ error: { message: 'Events service unreachable' } });
  });

  it('go to the next replica where one is too slow', async () => {
    const slow = await aReplica(() => undefined);
    const replica = await aReplica((_request, response) => response.end('answer'));
    const post = await start([slow, replica], { timeoutMs: 100 });
    expect(await (await post()).text()).toBe('answer');
  });

  it('are made again where an idle connection was closed just then', async () => {
    let calls = 0;
    const replica = await aReplica((request, response) => {
      calls += 1;
      if (calls === 2) request.socket.resetAndDestroy();
      else response.end(`answer ${calls}`);
    });
    const post = await start([replica]);
    expect(await (await post()).text()).toBe('answer 1');
    expect(await (await post()).text()).toBe('answer 3');
  });

  it('end with their client: no other replica is asked', async () => {
    const [reached, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = await aReplica((_request, response) => {
      response.once('close', left.resolve);
      reached.resolve();
    });
    let callCount = 0;
    const other = await aReplica((_request, response) => {
      callCount += 1;
      response.end();
    });
    const post = await start([slow, other]);
    const client = new AbortController();
    const call = post({ signal: client.signal });
    await reached.promise;
    client.abort();
    await expect(call).rejects.toThrow();
    await left.promise;
    await gateway!.close();
    expect(callCount).toBe(0);
  });
});

describe('calls of the events service that are refused', () => {
  it('include those without a valid token, where one is required', async () => {
    const replica = await aReplica((_request, response) => response.end('answer'));
    const access = { tokens: new Tokens(['token'], [], false) };
    const post = await start([replica], { access });
    const refused = await post();
    expect([refused.status, await refused.json()]).toEqual([
      401,
      { error: 'Invalid authorization token' },
    ]);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer');
    expect((await post({ headers: { authorization: 'Bearer token' } })).status).toBe(200);
  });

  it('include those of a client with too many in progress, until one has ended', async () => {
    const held: ServerResponse[] = [];
    const reached = Promise.withResolvers<void>();
    const replica = await aReplica((_request, response) => {
      held.push(response);
      reached.resolve();
    });
    const post = await start([replica], { limits: { requestsInAll: 16 } });
    const first = post();
    await reached.promise;
    const second = await post();
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await second.json()).toMatchObject({ error: { code: expect.any(Number) } });
    held[0]!.end('answer');
    await (await first).text();
    const third = post();
    while (held.length < 2) await new Promise((resolve) => setImmediate(resolve));
    held[1]!.end('answer');
    expect((await third).status).toBe(200);
  });

  it('include those whose body is too large', async () => {
    const replica = await aReplica((_request, response) => response.end('answer'));
    const post = await start([replica]);
    const refused = await post({ body: 'x'.repeat(2_000) });
    expect(refused.status).toBe(413);
    expect(await refused.json()).toMatchObject({
      error: { message: expect.stringContaining('1000') },
    });
  });
});

describe('a page of another origin', () => {
  it('may call the events service', async () => {
    const post = await start([]);
    const { status, headers } = await post({ method: 'OPTIONS', body: null });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*']);
  });
});
