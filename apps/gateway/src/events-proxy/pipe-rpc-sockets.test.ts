import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Endpoint, parseNetworks } from '@forecourt/runtime/config';
import { type RpcSockets, serveRpcSockets } from '@forecourt/json-rpc';
import { pipeRpcSockets, type RpcPipes } from './pipe-rpc-sockets.js';
import { RpcAdmission } from './rpc-admission.js';
import { RoundRobin } from '../replicas/round-robin.js';

const UPGRADE = [
  'GET /rpc HTTP/1.1',
  'Host: x',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
].join('\r\n');
const GOODBYE = Buffer.concat([Buffer.from([0x88, 5, 0x03, 0xe9]), Buffer.from('bye')]);

const LIMITS = {
  perSecond: 100,
  requestsInAll: 160,
  socketsInAll: 160,
};

let open: Server[];
let pipes: RpcPipes;
beforeEach(() => {
  open = [];
});
afterEach(async () => {
  await pipes.close(0);
  for (const server of open) server.close();
});

async function listen<S extends Server>(server: S): Promise<{ host: string; port: number }> {
  open.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

function startReplica(maxConnections = 10): { server: Server; sockets: RpcSockets } {
  const server = createServer();
  const sockets = serveRpcSockets(server, async () => 'called', {
    path: '/rpc',
    maxBatch: 1,
    maxMessageBytes: 1_000,
    maxConnections,
    pingIntervalMs: 60_000,
    maxPendingCalls: 2,
    maxBufferedBytes: 100_000,
    onHalfClosed: (connection) => connection.close(1001, 'bye'),
  });
  return { server, sockets };
}

/** A gateway over the replicas at these endpoints. */
function openGateway(endpoints: readonly Endpoint[]): Server {
  const gateway = createServer();
  const options = {
    replicas: new RoundRobin(endpoints),
    timeoutMs: 300,
    bodyLimitBytes: 1_000,
    admission: new RpcAdmission(LIMITS, parseNetworks('')),
  };
  pipes = pipeRpcSockets(gateway, options);
  return gateway;
}

/** A client of a gateway over these replicas, and the first that it is answered. */
async function connectOver(...replicas: Server[]): Promise<{ client: Socket; answer: string }> {
  const endpoints = [];
  for (const replica of replicas) endpoints.push(await listen(replica));
  const client = connect(await listen(openGateway(endpoints)));
  client.write(`${UPGRADE}\r\n\r\n`);
  const [answer] = (await once(client, 'data')) as [Buffer];
  return { client, answer: answer.toString() };
}

describe('WebSockets at /rpc', () => {
  it('are connected to a replica that accepts, skipping those that are silent or full', async () => {
    const silent = createTcpServer((socket) => socket.resume()) as Server;
    const { sockets, server } = startReplica();
    const { client, answer } = await connectOver(silent, startReplica(0).server, server);
    expect(answer).toMatch(/^HTTP\/1.1 101 /);
    expect(sockets.connections.size).toBe(1);
    client.destroy();
  });

  it('are refused with 503 while no replica accepts', async () => {
    const { answer } = await connectOver(startReplica(0).server);
    expect(answer).toMatch(/^HTTP\/1.1 503 [^]*Retry-After: 1\r\n[^]*Not ready: events/);
  });

  it('end with the close frame of the events service', async () => {
    const { client } = await connectOver(startReplica().server);
    const rest = once(client, 'data');
    await pipes.close(5_000);
    expect((await rest)[0]).toEqual(GOODBYE);
  });

  it('are cut after the grace period when the client does not close, and tolerate a reset', async () => {
    const { client } = await connectOver(startReplica().server);
    const { port } = open.at(-1)!.address() as AddressInfo;
    const stays = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    stays.write(`${UPGRADE}\r\n\r\n`);
    await once(stays, 'data');
    stays.pause();
    const closed = pipes.close(200);
    client.resetAndDestroy();
    await closed;
    stays.destroy();
  });

  it('are forgotten when the client leaves before a replica answers, and do not delay the end', async () => {
    const slow = createTcpServer() as Server;
    const gateway = openGateway([await listen(slow)]);
    const client = connect(await listen(gateway));
    client.write(`${UPGRADE}\r\n\r\n`);
    const [[accepted], [service]] = (await Promise.all([
      once(gateway, 'connection'),
      once(slow, 'connection'),
    ])) as [[Socket], [Socket]];
    client.resetAndDestroy();
    // Not `once`, which the reset ends as well.
    await new Promise((resolve) => accepted.once('close', resolve));
    service.resume().write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
    await once(service, 'close');
    await pipes.close(60_000);
  });
});
