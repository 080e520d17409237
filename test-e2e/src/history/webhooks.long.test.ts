import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { verifyWebhook, type WebhookMessage } from '@forecourt/client/webhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { call, reserved, sponsor } from '../support/application.js';
import { system, TOKENS } from '../support/systems/webhook-system.js';
import { applicationOf, tokenEntry, tokensFile } from '../support/tokens-file.js';

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
const OTHERS = [
  tokenEntry('other'),
  tokenEntry('ops', ['role: operator']),
  tokenEntry('audit', ['role: auditor']),
];

interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Webhook {
  readonly token: string | null;
  readonly url: string;
  readonly last_success_at: number | null;
}

interface Delivery {
  readonly id: string;
  readonly url: string;
  readonly status: string;
  readonly attempts: readonly { readonly status: number | null; readonly answer: string }[];
}

let server: Server;
let received: Received[] = [];
let status = 200;
const urlOf = (path: string) => {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
};
const caller = (name: string) => applicationOf(name, system.application);
const listWebhooks = async (name: string) => {
  const { body } = await call(caller(name), 'GET', '/v1/webhooks');
  return (body.result as unknown as { webhooks: Webhook[] } | undefined)?.webhooks ?? [];
};
const listDeliveries = async (name: string, query = '') => {
  const { body } = await call(caller(name), 'GET', `/v1/webhook_deliveries?${query}`);
  return (body.result as unknown as { data: Delivery[] }).data;
};

/** The verified messages at a path. */
async function messagesAt(path: string): Promise<WebhookMessage[]> {
  const there = received.filter((one) => one.path === path);
  return Promise.all(there.map((request) => verifyWebhook(request, { secret: SECRET })));
}

/** The first message of a type at a path about which the test says that it is meant. */
async function messageAt(
  path: string,
  type: string,
  isMeant: (data: WebhookMessage['data']) => boolean,
): Promise<WebhookMessage> {
  let found: WebhookMessage | undefined;
  await system.until(async () => {
    found = (await messagesAt(path)).find((one) => one.type === type && isMeant(one.data));
    return found !== undefined;
  });
  return found!;
}

beforeAll(async () => {
  server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ path: request.url ?? '', headers: request.headers, body });
      response.writeHead(status).end(`status ${status}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const hook = (path: string) => `{ url: '${urlOf(path)}', secret: ${SECRET} }`;
  const shop = tokenEntry('shop', ['role: sponsor', `webhooks: [${hook('/shop')}]`]);
  const fleet = `fleet-webhooks: [${hook('/fleet')}]\n`;
  system.files.write(TOKENS, tokensFile(shop, ...OTHERS) + fleet);
  const isRead = async (name: string, path: string) =>
    (await listWebhooks(name)).some(({ url }) => url === urlOf(path));
  await system.until(
    async () => (await isRead('shop', '/shop')) && (await isRead('ops', '/fleet')),
  );
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  received = [];
  status = 200;
});

describe('a webhook', () => {
  it('receives the outcome of each sponsorship of its token, and no other token’s', async () => {
    const { digest } = (await sponsor(caller('shop'))).transaction;
    await sponsor(caller('other'));
    const about = (data: WebhookMessage['data']) => data['digest'] === digest;
    const message = await messageAt('/shop', 'sponsorship.executed', about);
    expect(message.data).toMatchObject({ status: 'executed', outcome: 'success', token: 'shop' });
    expect(message.id).toMatch(/^whd_/);
    const ofOther = (data: WebhookMessage['data']) => data['token'] === 'other';
    await messageAt('/fleet', 'sponsorship.executed', ofOther);
    const tokens = (await messagesAt('/shop')).map(({ data }) => data['token']);
    expect(new Set(tokens)).toEqual(new Set(['shop']));
  });

  it('receives released reservations and refused requests', async () => {
    const shop = caller('shop');
    const { reservation_id: id } = await reserved(shop);
    await call(shop, 'POST', '/v1/release_gas', { reservation_id: id });
    const refused = { gas_budget: 1, reserve_duration_secs: 0 };
    expect((await call(shop, 'POST', '/v1/reserve_gas', refused)).status).toBe(400);
    const isReleased = (data: WebhookMessage['data']) => data['reservation_id'] === id;
    await messageAt('/shop', 'sponsorship.released', isReleased);
    const isRefused = (data: WebhookMessage['data']) => data['code'] === 'INVALID_REQUEST';
    await messageAt('/shop', 'sponsorship.refused', isRefused);
  });

  it('of the fleet receives actions of operators', async () => {
    const reason = 'a test of webhooks';
    const pause = { token: 'other', reason };
    expect((await call(caller('ops'), 'POST', '/v1/pause', pause)).status).toBe(200);
    expect((await call(caller('ops'), 'POST', '/v1/resume', { token: 'other' })).status).toBe(200);
    const isPause = (data: WebhookMessage['data']) => data['reason'] === reason;
    const message = await messageAt('/fleet', 'action.taken', isPause);
    expect(message.data).toMatchObject({ operator: 'ops', action: 'pause', scope: 'token other' });
    expect((await messagesAt('/shop')).map(({ type }) => type)).not.toContain('action.taken');
  });

  it('that fails is listed, and receives the same id when it is delivered again', async () => {
    status = 500;
    const { digest } = (await sponsor(caller('shop'))).transaction;
    const hasFailed = async () => {
      const [latest] = await listDeliveries('shop', 'status=waiting&limit=1');
      return latest?.attempts.some((one) => one.answer === 'status 500') ?? false;
    };
    await system.until(hasFailed);
    const [failed] = await listDeliveries('shop', 'status=waiting&limit=1');
    status = 200;
    received = [];
    const path = `/v1/webhook_deliveries/${failed!.id}/redeliver`;
    expect((await call(caller('other'), 'POST', path)).status).toBe(404);
    expect((await call(caller('audit'), 'POST', path)).status).toBe(403);
    expect((await call(caller('shop'), 'POST', path)).status).toBe(200);
    const about = (data: WebhookMessage['data']) => data['digest'] === digest;
    expect((await messageAt('/shop', 'sponsorship.executed', about)).id).toBe(failed!.id);
    const isDelivered = async () => {
      const all = await listDeliveries('shop', 'status=delivered');
      return all.some(({ id }) => id === failed!.id);
    };
    await system.until(isDelivered);
  });

  it('is tested at once', async () => {
    status = 503;
    const test = () => call(caller('shop'), 'POST', '/v1/webhooks/test', { url: urlOf('/shop') });
    const answered = { status: 503, error: 'Answered 503', answer: 'status 503' };
    expect((await test()).body.result).toMatchObject(answered);
    status = 200;
    expect((await test()).body.result).toMatchObject({ status: 200, error: null });
    expect((await messagesAt('/shop')).at(-1)!.type).toBe('webhook.test');
    const url = urlOf('/fleet');
    expect((await call(caller('shop'), 'POST', '/v1/webhooks/test', { url })).status).toBe(404);
    expect((await call(caller('audit'), 'POST', '/v1/webhooks/test', { url })).status).toBe(403);
  });
});

describe('a caller', () => {
  it('sees its own webhooks and their deliveries; operators and auditors see all', async () => {
    const urls = async (name: string) => (await listWebhooks(name)).map(({ url }) => url).sort();
    const all = [urlOf('/fleet'), urlOf('/shop')];
    expect(await urls('shop')).toEqual([urlOf('/shop')]);
    expect(await urls('other')).toEqual([]);
    expect(await urls('ops')).toEqual(all);
    expect(await urls('audit')).toEqual(all);
    const ownUrls = new Set((await listDeliveries('shop')).map(({ url }) => url));
    expect(ownUrls).toEqual(new Set([urlOf('/shop')]));
    expect(await listDeliveries('other')).toEqual([]);
  });

  it.each([
    ['status=done', /status must be one of waiting, delivered, undelivered; got "done"/],
    ['from=2&to=1', /from must not be later than to/],
    ['token=shop', /token is not one of the parameters status, url, from, to, limit, cursor/],
    ['url=shop', /url must be the URL of a webhook/],
    ['cursor=abc', /cursor must be the next_cursor of a page/],
  ])('learns what is wrong with the filter %s', async (query, problem) => {
    const { status: answered, body } = await call(
      caller('shop'),
      'GET',
      `/v1/webhook_deliveries?${query}`,
    );
    expect([answered, body.error]).toEqual([400, expect.stringMatching(problem)]);
  });
});

describe('a replica of history that is killed', () => {
  it('leaves its messages to the other', async () => {
    const [victim] = system.services('history');
    const executed = Array.from({ length: 10 }, () => sponsor(caller('shop')));
    victim!.kill();
    const digests = (await Promise.all(executed)).map(({ transaction }) => transaction.digest);
    await system.until(async () => {
      const there = new Set((await messagesAt('/shop')).map(({ data }) => data['digest']));
      return digests.every((digest) => there.has(digest));
    });
    await victim!.exited();
    await victim!.start();
  });
});
