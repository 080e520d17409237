import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { ClientTCP, ServerTCP } from '@nestjs/microservices';
import { freePort } from '@forecourt/testing/redis';
import { firstValueFrom } from 'rxjs';
import { MAX_PENDING } from './fleet-server.js';
import { createMessageClient, createMessageServer } from './message-transport.js';

const SECRET = 'a-secret-of-a-fleet-of-32-or-more-characters';
const OTHER = 'the-secret-of-quite-another-fleet-somewhere';
const HOST = '127.0.0.1';

let port: number;
let handled: unknown[];
const closing: (() => unknown)[] = [];
const logged: string[] = [];
beforeEach(async () => {
  port = await freePort();
  handled = [];
  logged.length = 0;
  const record = (text: unknown) => void logged.push(String(text));
  Logger.overrideLogger({ log: record, warn: record, error: record });
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function serve(...fleetSecrets: string[]): Promise<ServerTCP> {
  const server = createMessageServer({ host: HOST, port, fleetSecrets });
  server.addHandler('add', async (numbers: number[]) => {
    handled.push(numbers);
    return numbers.reduce((sum, one) => sum + one);
  });
  await new Promise((listening) => server.listen(listening));
  closing.push(() => server.close());
  return server;
}

function clientWith(...fleetSecrets: string[]): ClientTCP {
  const client = createMessageClient({ host: HOST, port, fleetSecrets });
  closing.push(() => client.close());
  return client;
}

const add = (client: ClientTCP) => firstValueFrom(client.send<number>('add', [1, 2]));

async function openSocket(toPort = port): Promise<Socket> {
  const socket = connect(toPort, HOST);
  socket.on('error', () => undefined);
  closing.push(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

describe('messages inside a fleet', () => {
  it('travel between two ends with the same secret', async () => {
    await serve(SECRET);
    expect(await add(clientWith(SECRET))).toBe(3);
    expect(handled).toEqual([[1, 2]]);
  });

  it('travel while the secret is being rotated', async () => {
    await serve(OTHER, SECRET);
    expect(await add(clientWith(SECRET))).toBe(3);
    expect(await add(clientWith(OTHER, SECRET))).toBe(3);
  });

  it('travel without a secret where neither end requires one', async () => {
    await serve();
    expect(await add(clientWith())).toBe(3);
  });

  it('are not sent to an end with another secret, and both ends log why', async () => {
    await serve(OTHER);
    const client = clientWith(SECRET);
    await expect(client.connect()).rejects.toThrow();
    await expect(client.connect()).rejects.toThrow();
    expect(handled).toEqual([]);
    const told = logged.filter((line) => line.includes('FLEET_SECRET'));
    expect(told).toEqual([
      expect.stringContaining('did not prove that they belong to the fleet, the last from 127'),
      expect.stringContaining(`${HOST}:${port} did not prove that it belongs to the fleet`),
    ]);
  });

  it('are not sent to an end that requires no secret', async () => {
    const arrived: Buffer[] = [];
    const impostor: Server = createServer((socket) => {
      socket.on('data', (data) => {
        arrived.push(data);
        socket.end('5#{"id":1}');
      });
      socket.on('error', () => undefined);
    }).listen(port, HOST);
    await once(impostor, 'listening');
    closing.push(() => impostor.close());
    await expect(add(clientWith(SECRET))).rejects.toThrow();
    expect(Buffer.concat(arrived).includes('add')).toBe(false);
  });

  it('are not read from an unauthenticated connection', async () => {
    await serve(SECRET);
    const socket = await openSocket();
    const message = JSON.stringify({ id: '1', pattern: 'add', data: [1, 2] });
    socket.write(`${message.length}#${message}`);
    let arrived = '';
    socket.on('data', (data) => (arrived += data.toString('latin1')));
    await new Promise((resolve) => socket.once('close', resolve));
    expect(arrived).not.toContain('"');
    await expect(add(clientWith())).rejects.toThrow();
    expect(handled).toEqual([]);
  });

  it('are not read from a connection that replays another handshake', async () => {
    await serve(SECRET);
    const sent: Buffer[] = [];
    const recorder = createServer((client) => {
      const server = connect(port, HOST);
      for (const socket of [client, server]) socket.on('error', () => client.destroy());
      closing.push(() => server.destroy());
      client.on('data', (data) => sent.push(data));
      client.pipe(server).pipe(client);
    });
    const recorderPort = await freePort();
    recorder.listen(recorderPort, HOST);
    await once(recorder, 'listening');
    closing.push(() => recorder.close());
    const client = createMessageClient({ host: HOST, port: recorderPort, fleetSecrets: [SECRET] });
    closing.push(() => client.close());
    expect(await add(client)).toBe(3);

    const replay = await openSocket();
    const closed = new Promise((resolve) => replay.once('close', resolve));
    for (const data of sent) {
      const answered = new Promise((resolve) => replay.once('data', resolve));
      replay.write(data);
      await Promise.race([answered, closed]);
    }
    await closed;
    expect(handled).toEqual([[1, 2]]);
  });

  it('continue beside unauthenticated connections, whose number is bounded', async () => {
    await serve(SECRET);
    let closed = 0;
    for (let count = 0; count < MAX_PENDING + 20; count++) {
      (await openSocket()).on('close', () => (closed += 1)).resume();
    }
    expect(await add(clientWith(SECRET))).toBe(3);
    expect(closed).toBeGreaterThanOrEqual(20);
    expect(closed).toBeLessThan(MAX_PENDING);
  });
});
