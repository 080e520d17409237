import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useStarted } from '@forecourt/testing/jest';
import { ReceiverAddresses } from './receiver-addresses.js';
import { startDns } from './test-dns.test-support.js';
import { startReceiver } from './test-receiver.test-support.js';
import { WebhookSender } from './webhook-sender.js';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const MESSAGE = { id: 'whd_1', body: '{}' };
const SHORT_MS = 400;

const receiver = useStarted(
  () => startReceiver(),
  (started) => started.stop(),
);
const secret = useStarted(
  () => startReceiver(),
  (started) => started.stop(),
);
const dns = useStarted(startDns, (started) => started.stop());

/** Sends to the receiver, which alone is allowed. */
function send() {
  const host = `127.0.0.1:${receiver.port}`;
  const sender = new WebhookSender(new ReceiverAddresses([host]));
  return sender.send({ url: `http://${host}/`, secrets: [SECRET] }, MESSAGE);
}

/** Sends without any allowed host. */
function sendTo(url: string) {
  const sender = new WebhookSender(new ReceiverAddresses([], [dns.address]), { attemptMs: 2_000 });
  return sender.send({ url, secrets: [SECRET] }, MESSAGE);
}

describe('a connection', () => {
  /** Accepts and answers nothing. */
  let silent: Server;
  beforeAll(async () => {
    silent = createServer((socket) => socket.resume());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void silent.close());

  it.each([
    ['http', 'http://example.com/', /http is only sent to hosts in WEBHOOK_ALLOWED_HOSTS/],
    ['loopback', 'https://127.0.0.1/', /127\.0\.0\.1 is not a public address/],
    ['loopback in decimal', 'https://2130706433/', /127\.0\.0\.1 is not a public address/],
    ['loopback in hex', 'https://0x7f.1/', /127\.0\.0\.1 is not a public address/],
    ['loopback in octal', 'https://0177.0.0.1/', /127\.0\.0\.1 is not a public address/],
    ['any address', 'https://0/', /0\.0\.0\.0 is not a public address/],
    ['IPv6 loopback', 'https://[::1]/', /::1 is not a public address/],
    ['mapped IPv4', 'https://[::ffff:127.0.0.1]/', /::ffff:7f00:1 is not a public address/],
    ['NAT64', 'https://[64:ff9b::a00:1]/', /not a public address/],
    ['cloud metadata', 'https://169.254.169.254/latest', /not a public address/],
  ])('is refused: %s', async (_, url, error) => {
    const attempt = await sendTo(url);
    expect(attempt).toMatchObject({ status: null, answer: '' });
    expect(attempt.error).toMatch(error);
  });

  it.each([
    ['private', ['10.0.0.5']],
    ['loopback', ['::1']],
    ['both public and loopback', ['1.1.1.1', '127.0.0.1']],
    ['public by IPv4 and local by IPv6', ['1.1.1.1', 'fd00::1']],
  ])('is refused to a name whose addresses are %s', async (_, addresses) => {
    dns.names.set('hook.test', addresses);
    const { error } = await sendTo(`https://hook.test:${receiver.port}/`);
    expect(error).toMatch(/^hook\.test is .*, which is not a public address/);
  });

  it('checks a name each time: it may lead elsewhere since', async () => {
    const addresses = new ReceiverAddresses([], [dns.address]);
    const lookup = addresses.lookupFor(new URL('https://rebind.test/'));
    const find = () =>
      new Promise((resolve) => {
        lookup('rebind.test', { all: true }, (error, found) => resolve(error?.message ?? found));
      });
    dns.names.set('rebind.test', ['1.1.1.1', '2606:4700:4700::1111']);
    expect(await find()).toEqual([
      { address: '1.1.1.1', family: 4 },
      { address: '2606:4700:4700::1111', family: 6 },
    ]);
    dns.names.set('rebind.test', ['127.0.0.1']);
    expect(await find()).toMatch(/127\.0\.0\.1, which is not a public address/);
    const { error } = await sendTo(`https://rebind.test:${secret.port}/`);
    expect(error).toMatch(/not a public address/);
    expect(secret.received).toEqual([]);
  });

  it('reports a name that does not exist, and one whose server does not answer', async () => {
    expect((await sendTo('https://absent.test/')).error).toMatch(/ENOTFOUND absent\.test/);
    dns.names.set('slow.test', null);
    expect((await sendTo('https://slow.test/')).error).toMatch(/No answer in time|ETIMEOUT/);
  });

  it('to one port of an allowed host allows no other port', async () => {
    const sender = new WebhookSender(new ReceiverAddresses([`127.0.0.1:${receiver.port}`]));
    const url = `https://127.0.0.1:${secret.port}/`;
    const { error } = await sender.send({ url, secrets: [SECRET] }, MESSAGE);
    expect(error).toMatch(/not a public address/);
  });

  it.each(['localhost', 'LOCALHOST.', '[::1]'])('is made to the allowed host %s', async (host) => {
    const local = await startReceiver(undefined, host === '[::1]' ? '::1' : '127.0.0.1');
    try {
      const allowed = host.toLowerCase().replace(/\.$/, '');
      const sender = new WebhookSender(new ReceiverAddresses([allowed]));
      const url = `http://${host}:${local.port}/`;
      expect(await sender.send({ url, secrets: [SECRET] }, MESSAGE)).toMatchObject({ status: 200 });
    } finally {
      await local.stop();
    }
  });

  it('needs a valid certificate', async () => {
    const { port } = silent.address() as { port: number };
    const sender = new WebhookSender(new ReceiverAddresses(['127.0.0.1']), { attemptMs: SHORT_MS });
    const sendAt = (time: number) =>
      sender.send({ url: `https://127.0.0.1:${time}/`, secrets: [SECRET] }, MESSAGE);
    expect((await sendAt(port)).error).toBe('No answer in time');
    // Speaks no TLS.
    expect((await sendAt(receiver.port)).error).toMatch(/SSL|EPROTO|wrong version/i);
  });

  it('that is refused or cut off is a failure', async () => {
    receiver.answerWith(({ socket }) => socket!.destroy());
    expect((await send()).error).toMatch(/socket hang up|ECONNRESET/);
    const sender = new WebhookSender(new ReceiverAddresses(['127.0.0.1']));
    const { error } = await sender.send({ url: 'http://127.0.0.1:1/', secrets: [SECRET] }, MESSAGE);
    expect(error).toMatch(/ECONNREFUSED/);
  });
});
