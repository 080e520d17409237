import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { partial } from '@forecourt/testing/jest';
import { ForecourtError } from '@forecourt/contracts';
import { type FastifyInstance, fastify } from 'fastify';
import type { Caller } from '@forecourt/policy/tokens';
import { RequestAdmission } from './request-admission.js';
import { setCaller } from './request-caller.js';

const MOST = {
  maxReservations: 1,
  maxExecutions: 4,
  maxDryRuns: 1,
  maxRecordReads: 1,
  maxOutcomeWaits: 1,
};
const PATH = '/v1/reserve_gas';
const EXECUTE = '/v1/execute_tx';

let server: FastifyInstance;
let onAuthorized: () => Promise<void>;
let onHandled: () => Promise<void>;
let onAnswered: () => void;
let isPaused: boolean;

function requireRunning(): void {
  if (isPaused) throw new ForecourtError('PAUSED', 'maintenance');
}

beforeEach(async () => {
  onAuthorized = async () => undefined;
  onHandled = async () => undefined;
  onAnswered = () => undefined;
  server = fastify();
  server.addHook('onRequest', async (request) => {
    await onAuthorized();
    setCaller(request, { token: 'shop', name: 'shop' } as Caller);
  });
  isPaused = false;
  new RequestAdmission(partial(MOST), partial({ requireRunning })).attachTo(server);
  server.addHook('onSend', async () => onAnswered());
  server.post(PATH, { config: { admission: 'reserve' } }, async () => {
    await onHandled();
    return {};
  });
  server.post(EXECUTE, { config: { admission: 'execute' } }, async () => ({}));
  await server.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => server.close());

const address = () => server.server.address() as AddressInfo;

async function post(path = PATH): Promise<number> {
  const options = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
  const response = await fetch(`http://127.0.0.1:${address().port}${path}`, options);
  await response.arrayBuffer();
  return response.status;
}

/** A request of a client that reads no answer. */
async function send(path = PATH, length = 'Content-Length: 2', body = '{}') {
  const connected = once(server.server, 'connection');
  const socket = connect(address().port, '127.0.0.1');
  const [incoming] = (await connected) as [Socket];
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${length}\r\n\r\n${body}`,
  );
  return { socket, incoming };
}

/** A request that has reached its handler, which answers once `proceed` is called. */
async function sendHeld() {
  const { promise: held, resolve: proceed } = Promise.withResolvers<void>();
  const handled = new Promise<void>((resolve) => {
    onHandled = () => {
      onHandled = async () => undefined;
      resolve();
      return held;
    };
  });
  const sent = await send();
  await handled;
  return { ...sent, proceed };
}

describe('requests whose bodies have not arrived', () => {
  it.each(['Content-Length: 131072', 'Transfer-Encoding: chunked'])(
    'take no place (%s)',
    async (length) => {
      const idle: Socket[] = [];
      for (let count = 0; count < 8; count++) {
        const question = new Promise<void>((resolve) => {
          onAuthorized = async () => resolve();
        });
        idle.push((await send(EXECUTE, length, '')).socket);
        await question;
      }
      const status = await post(EXECUTE);
      for (const socket of idle) socket.destroy();
      expect(status).toBe(200);
    },
  );
});

describe('requests of a paused token', () => {
  it('are refused before they take a place, except executions, which may repeat an earlier call', async () => {
    isPaused = true;
    onHandled = async () => {
      throw new Error('handled');
    };
    expect([await post(), await post(EXECUTE)]).toEqual([503, 200]);
  });
});

describe('the number of requests under way', () => {
  it('is bounded: one more gets a 503 until another has been answered', async () => {
    const { socket, proceed } = await sendHeld();
    expect(await post()).toBe(503);
    const answered = once(socket, 'data');
    proceed();
    await answered;
    expect(await post()).toBe(200);
    socket.destroy();
  });

  it('falls only when the handler has answered, even if the client has left', async () => {
    const { socket, incoming, proceed } = await sendHeld();
    const left = once(incoming, 'close');
    socket.destroy();
    await left;
    expect(await post()).toBe(503);
    const answered = new Promise<void>((resolve) => (onAnswered = resolve));
    proceed();
    await answered;
    expect(await post()).toBe(200);
  });

  it('excludes a client that left while its token was checked', async () => {
    const { promise: authorized, resolve: proceed } = Promise.withResolvers<void>();
    const question = new Promise<void>((resolve) => {
      onAuthorized = () => {
        onAuthorized = async () => undefined;
        resolve();
        return authorized;
      };
    });
    const { socket, incoming } = await send();
    await question;
    const left = once(incoming, 'close');
    socket.destroy();
    await left;
    proceed();
    expect(await post()).toBe(200);
  });
});
