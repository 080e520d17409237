import { describe, expect, it } from '@jest/globals';
import { verifyWebhook } from '@forecourt/client/webhooks';
import { useStarted } from '@forecourt/testing/jest';
import { ReceiverAddresses } from './receiver-addresses.js';
import { startReceiver } from './test-receiver.test-support.js';
import { WebhookSender } from './webhook-sender.js';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const NEXT = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const MESSAGE = {
  id: 'whd_1',
  body: JSON.stringify({ type: 'sponsorship.expired', timestamp: 'now', data: { a: 'ü' } }),
};
const SHORT_MS = 400;

const receiver = useStarted(
  () => startReceiver(),
  (started) => started.stop(),
);
const secret = useStarted(
  () => startReceiver(),
  (started) => started.stop(),
);

/** Sends to a path of the receiver, which alone is allowed. */
function send(path = '/', { secrets = [SECRET], attemptMs = 10_000 } = {}) {
  const host = `127.0.0.1:${receiver.port}`;
  const sender = new WebhookSender(new ReceiverAddresses([host]), { attemptMs });
  return sender.send({ url: `http://${host}${path}`, secrets }, MESSAGE);
}

describe('a message to a webhook', () => {
  it('is verified by the client', async () => {
    const attempt = await send('/hook?a=1');
    expect(attempt).toMatchObject({ status: 200, error: null, answer: 'ok' });
    expect(Math.abs(attempt.at - Date.now())).toBeLessThan(5_000);
    const { path, body, headers } = receiver.received.at(-1)!;
    expect(path).toBe('/hook?a=1');
    expect(headers['content-type']).toBe('application/json');
    const message = await verifyWebhook({ body, headers }, { secret: SECRET });
    expect(message).toEqual({ id: MESSAGE.id, ...(JSON.parse(MESSAGE.body) as object) });
  });

  it.each([SECRET, NEXT])('is signed with both secrets while they change', async (one) => {
    await send('/', { secrets: [SECRET, NEXT] });
    const { body, headers } = receiver.received.at(-1)!;
    await expect(verifyWebhook({ body, headers }, { secret: one })).resolves.toBeDefined();
  });

  it('carries user name and password of the URL in a header only', async () => {
    const host = `127.0.0.1:${receiver.port}`;
    const sender = new WebhookSender(new ReceiverAddresses([host]));
    await sender.send({ url: `http://ann:p%40ss@${host}/`, secrets: [SECRET] }, MESSAGE);
    const { headers, path } = receiver.received.at(-1)!;
    expect(headers.authorization).toBe(`Basic ${Buffer.from('ann:p@ss').toString('base64')}`);
    expect(path).toBe('/');
  });
});

describe('an answer', () => {
  it.each([200, 201, 204, 299])('with status %d is success', async (status) => {
    receiver.answerWith((response) => response.writeHead(status).end());
    expect(await send()).toMatchObject({ status, error: null });
  });

  it.each([400, 404, 410, 429, 500, 503])('with status %d is a failure', async (status) => {
    receiver.answerWith((response) => response.writeHead(status).end('why'));
    const attempt = await send();
    expect(attempt).toMatchObject({ status, answer: 'why' });
    expect(attempt.error).toContain(`Answered ${status}`);
  });

  it.each([301, 302, 303, 307, 308])('that redirects with %d is not followed', async (status) => {
    const location = `http://127.0.0.1:${secret.port}/`;
    receiver.answerWith((response) => response.writeHead(status, { location }).end());
    expect(await send()).toMatchObject({
      status,
      error: `Answered ${status}: redirects are not followed`,
    });
    expect(secret.received).toEqual([]);
  });

  it('of any length is kept up to 1 KiB, without waiting for its end', async () => {
    receiver.answerWith((response) => {
      let isClosed = false;
      response.on('close', () => (isClosed = true));
      response.writeHead(200);
      const write = (): void => {
        while (!isClosed && response.write('ü'.repeat(50_000)));
        if (!isClosed) response.once('drain', write);
      };
      write();
    });
    const { status, error, answer } = await send();
    expect({ status, error }).toEqual({ status: 200, error: null });
    expect(answer).toBe('ü'.repeat(512));
    const { answer: half } = await send();
    expect(half).not.toContain('\uFFFD');
  });

  it('is success although its text never ends', async () => {
    receiver.answerWith((response) => response.writeHead(200).write('begin'));
    expect(await send()).toMatchObject({ status: 200, error: null, answer: 'begin' });
  });

  it('may hold any bytes', async () => {
    receiver.answerWith((response) => response.end(Buffer.from([0, 255, 65])));
    expect((await send()).answer).toBe('\uFFFD\uFFFDA');
  });

  it('with endless headers is a failure', async () => {
    receiver.answerWith(({ socket }) => {
      socket!.write('HTTP/1.1 200 OK\r\n');
      const line = `x-${'a'.repeat(1_000)}: b\r\n`;
      for (let i = 0; i < 100; i += 1) socket!.write(line);
    });
    const attempt = await send();
    expect(attempt).toMatchObject({ status: null, answer: '' });
    expect(attempt.error).toMatch(/overflow/i);
  });

  it('with another protocol is a failure', async () => {
    receiver.answerWith(({ socket }) =>
      socket!.write(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
      ),
    );
    expect(await send()).toMatchObject({ status: null, error: 'Answered 101' });
  });

  it('that does not arrive in time is a failure', async () => {
    receiver.answerWith(() => undefined);
    const attempt = await send('/', { attemptMs: SHORT_MS });
    expect(attempt).toMatchObject({ status: null, error: 'No answer in time' });
    expect(attempt.duration_ms).toBeGreaterThanOrEqual(SHORT_MS - 1);
  });

  it('whose headers arrive byte by byte is a failure', async () => {
    receiver.answerWith(({ socket }) => {
      const timer = setInterval(() => socket!.write('H'), 50);
      socket!.on('close', () => clearInterval(timer));
    });
    expect(await send('/', { attemptMs: SHORT_MS })).toMatchObject({ status: null });
  });
});
