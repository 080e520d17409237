import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { Headers as UndiciHeaders } from 'undici';
import { verifyWebhook, type VerifyOptions, type WebhookRequest } from './verify-webhook.js';

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
const SECRET = secretOf(1);
const NEXT = secretOf(2);
const ID = 'whd_1';
const BODY = JSON.stringify({
  type: 'sponsorship.executed',
  timestamp: '2026-11-25T19:00:00.000Z',
  data: { reservation_id: 7, failure: 'Ünicode — 火' },
});

/** Headers as the published library of Standard Webhooks makes them. */
function sign({ body = BODY, secrets = [SECRET], time = new Date(), id = ID } = {}) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(time.getTime() / 1_000)),
    'webhook-signature': secrets.map((one) => new Webhook(one).sign(id, time, body)).join(' '),
  };
}

const renamed = (headers: Record<string, string>, rename: (name: string) => string) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [rename(name), value]));
const mapped = <T>(headers: Record<string, string>, map: (value: string) => T) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, map(value)]));
const titled = (name: string) => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

describe('verifyWebhook', () => {
  it.each([
    ['text', BODY],
    ['bytes', Buffer.from(BODY)],
  ])('accepts what Standard Webhooks signs, as %s', async (_, body) => {
    const message = await verifyWebhook({ body, headers: sign() }, { secret: SECRET });
    expect(message).toEqual({ id: ID, ...(JSON.parse(BODY) as object) });
  });

  it.each([{ id: 1 }, null, undefined, ['a'], 5])(
    'throws for a body that was parsed, and says what is needed: %p',
    async (parsed) => {
      const request = { body: parsed as unknown as string, headers: sign() };
      await expect(verifyWebhook(request, { secret: SECRET })).rejects.toMatchObject({
        code: 'MALFORMED',
        message: expect.stringContaining('not the parsed object'),
      });
    },
  );

  it.each<[string, (signed: Record<string, string>) => WebhookRequest['headers']]>([
    ['of a fetch request', (signed) => new Headers(signed)],
    ['of undici', (signed) => new UndiciHeaders(signed)],
    ['in the case of HTTP/1', (signed) => renamed(signed, (name) => name.toUpperCase())],
    ['with lists as values', (signed) => mapped(signed, (value) => [value])],
    ['in a Map', (signed) => new Map(Object.entries(renamed(signed, titled)))],
    ['in pairs', (signed) => Object.entries(signed)],
    ['in a Map of lists', (signed) => new Map(Object.entries(mapped(signed, (value) => [value])))],
    ['without a prototype', (signed) => Object.assign(Object.create(null) as object, signed)],
    ['beside others', (signed) => ({ host: undefined, accept: ['a', 'b'], ...signed })],
  ])('reads headers %s', async (_, form) => {
    const headers = form(sign());
    const message = await verifyWebhook({ body: BODY, headers }, { secret: SECRET });
    expect(message.id).toBe(ID);
  });

  it.each([
    ['missing', null],
    ['missing', undefined],
    ['missing', 'webhook-id: 1'],
    ['missing', new Map([['webhook-id', '']])],
    ['given 2 times', { ...sign(), 'Webhook-Id': 'whd_2' }],
    ['given 2 times', { ...sign(), 'webhook-id': [ID, ID] }],
  ])('says that a header is %s in %p', async (what, headers) => {
    const request = { body: BODY, headers: headers as unknown as WebhookRequest['headers'] };
    await expect(verifyWebhook(request, { secret: SECRET })).rejects.toMatchObject({
      code: 'MALFORMED',
      message: `The header webhook-id is ${what}`,
    });
  });

  it.each([
    ['the receiver still has the old secret', [SECRET, NEXT], SECRET],
    ['the receiver already has the new one', [SECRET, NEXT], NEXT],
    ['only the receiver has both', [NEXT], [SECRET, NEXT]],
  ])('accepts a message while the secret changes: %s', async (_, secrets, secret) => {
    const headers = sign({ secrets });
    await expect(verifyWebhook({ body: BODY, headers }, { secret })).resolves.toMatchObject({
      id: ID,
    });
  });

  it.each<[string, string, Record<string, string>]>([
    ['a changed body', BODY.replace('7', '8'), sign()],
    ['a body that was parsed and written again', JSON.stringify(JSON.parse(BODY), null, 1), sign()],
    ['the id of another message', BODY, { ...sign(), 'webhook-id': 'whd_2' }],
    ['a later time', BODY, { ...sign(), 'webhook-timestamp': '9999999999' }],
    ['another secret', BODY, sign({ secrets: [NEXT] })],
    ['an empty signature', BODY, { ...sign(), 'webhook-signature': 'v1,' }],
    ['a signature that is not base64', BODY, { ...sign(), 'webhook-signature': 'v1,%%%' }],
    [
      'a signature of another version',
      BODY,
      { ...sign(), 'webhook-signature': sign()['webhook-signature'].replace('v1', 'v1a') },
    ],
  ])('refuses %s', async (_, body, headers) => {
    await expect(verifyWebhook({ body, headers }, { secret: SECRET })).rejects.toMatchObject({
      name: 'WebhookError',
      code: 'WRONG_SIGNATURE',
    });
  });

  it.each([-301_000, 301_000])('refuses a message signed %d ms from now', async (ms) => {
    const headers = sign({ time: new Date(Date.now() + ms) });
    const options = { secret: SECRET };
    await expect(verifyWebhook({ body: BODY, headers }, options)).rejects.toMatchObject({
      code: 'STALE',
    });
    await expect(
      verifyWebhook({ body: BODY, headers }, { ...options, toleranceSecs: 400 }),
    ).resolves.toMatchObject({ id: ID });
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
    'names the missing header %s',
    async (name) => {
      const headers = { ...sign(), [name]: undefined };
      await expect(verifyWebhook({ body: BODY, headers }, { secret: SECRET })).rejects.toThrow(
        `The header ${name} is missing`,
      );
    },
  );

  it.each(['no JSON', 'null', '[]', '{"type":"a","timestamp":"b"}', '{"type":1,"data":{}}'])(
    'refuses the signed body %j',
    async (body) => {
      const headers = sign({ body });
      await expect(verifyWebhook({ body, headers }, { secret: SECRET })).rejects.toMatchObject({
        code: 'MALFORMED',
      });
    },
  );

  it.each<[string, unknown]>([
    ['secret must be .*; got another text', { secret: '' }],
    ['secret must be .*; got another text', { secret: 'hunter2' }],
    ['secret must be .*; got another text', { secret: [SECRET, 'whsec_'] }],
    ['secret must be .*; got undefined', { secret: undefined }],
    ['secret must be .*; got undefined', undefined],
    ['secret must be .*; got null', { secret: [SECRET, null] }],
    ['secret must be .*; got object', { secret: { SECRET } }],
    ['secret is an empty list', { secret: [] }],
    ['toleranceSecs must be a number .*; got NaN', { secret: SECRET, toleranceSecs: NaN }],
    ['toleranceSecs must be a number .*; got -1', { secret: SECRET, toleranceSecs: -1 }],
  ])('throws before it reads the request: %s', async (problem, options) => {
    const request = { body: { parsed: true }, headers: {} } as unknown as WebhookRequest;
    const verified = verifyWebhook(request, options as VerifyOptions);
    const error = await verified.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toMatch(new RegExp(problem));
    expect((error as Error).message).not.toContain('hunter2');
  });
});
