import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '@forecourt/testing/redis';
import { ALL, TestWebhooks } from './test-webhooks.test-support.js';

const test = new TestWebhooks();

describe('the delivery queue', () => {
  it('delivers, and lists each delivery with its attempt', async () => {
    const webhooks = await test.start();
    await test.add(webhooks, 'a', 'b');
    await waitUntil(async () => (await test.list(webhooks, { status: 'delivered' })).length === 2);
    expect(test.keysAt('/shop').sort()).toEqual(['a', 'b']);
    const [delivery] = await test.list(webhooks);
    expect(delivery).toMatchObject({
      token: 'shop',
      url: test.urlOf('/shop'),
      attempts: [{ status: 200, error: null, answer: 'ok' }],
    });
    expect(test.receiver.received.map(({ headers }) => headers['webhook-id'])).toContain(
      delivery!.id,
    );
  });

  it('delivers what was added while no replica was running, or whose wake was lost', async () => {
    const idle = await test.start({ begin: false });
    await test.addOnly(idle, 'a');
    await test.start();
    await waitUntil(async () => test.keysAt('/shop').length === 1);
  });

  it('shares the work of replicas, and delivers each once', async () => {
    const replicas = [await test.start(), await test.start()];
    const keys = Array.from({ length: 300 }, (_, index) => `k${index}`);
    await test.add(replicas[0]!, ...keys);
    await waitUntil(
      async () => (await test.list(replicas[1]!, { status: 'delivered' })).length === 300,
    );
    expect(test.keysAt('/shop').sort()).toEqual(keys.sort());
  });

  it('delivers again, with the same id, what a replica that died had not recorded', async () => {
    const webhooks = await test.start({ begin: false });
    await test.addOnly(webhooks, 'a');
    // Received, but the process ended before it could record that.
    const [before] = await test.list(webhooks);
    const died = await fetch(test.urlOf('/shop'), {
      method: 'POST',
      headers: { 'webhook-id': before!.id },
      body: '{}',
    });
    expect(died.status).toBe(200);
    await test.start();
    await waitUntil(async () => test.receiver.received.length === 2);
    const ids = test.receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(1);
  });

  it('finishes the attempts in progress when it stops, and begins no others', async () => {
    const webhooks = await test.start();
    const held: (() => void)[] = [];
    test.receiver.answerWith((response) => held.push(() => void response.end('late')));
    await test.add(webhooks, ...Array.from({ length: 20 }, (_, index) => `k${index}`));
    // A turn begins with four attempts, and with another one as soon as one ends.
    await waitUntil(async () => held.length === 4);
    const stopped = test.stopAll();
    for (const answer of held) answer();
    await stopped;
    expect(test.receiver.received.length).toBe(4);
    expect((await test.list(webhooks, { status: 'delivered' })).length).toBe(4);
  });

  it('lets a receiver that fails rest, and lets others receive', async () => {
    const webhooks = await test.start({ shop: [test.hook('/bad'), test.hook('/good')] });
    test.receiver.answerWith((response, { path }) => {
      response.writeHead(path === '/bad' ? 500 : 200).end();
    });
    const keys = Array.from({ length: 50 }, (_, index) => `k${index}`);
    await test.add(webhooks, ...keys);
    await waitUntil(async () => test.keysAt('/good').length === 50);
    // Four at once at first; after three failures it rests.
    expect(test.keysAt('/bad').length).toBeLessThan(8);
    const listWebhooks = async () => (await webhooks.answers.list({ viewer: ALL })).webhooks;
    await waitUntil(async () => {
      const [bad, good] = await listWebhooks();
      return bad!.last_failure_at !== null && good!.waiting === 0;
    });
    expect((await listWebhooks()).map(({ url, waiting }) => [url, waiting])).toEqual([
      [test.urlOf('/bad'), 50],
      [test.urlOf('/good'), 0],
    ]);
  });

  it('lets others receive at once while a hundred receivers do not answer', async () => {
    const silent = Array.from({ length: 100 }, (_, index) => test.hook(`/silent${index}`));
    const webhooks = await test.start({ shop: [...silent, test.hook('/good')] });
    const held: (() => void)[] = [];
    test.receiver.answerWith((response, { path }) => {
      if (path === '/good') response.end('ok');
      else held.push(() => void response.end('late'));
    });
    await test.add(webhooks, 'a');
    await waitUntil(async () => held.length === silent.length);
    await test.add(webhooks, 'b');
    // An attempt that is not answered takes ten seconds.
    await waitUntil(async () => test.keysAt('/good').length === 2, { timeoutMs: 5_000 });
    for (const answer of held) answer();
  });

  it.each([
    ['answers them with an error at the same time', 0],
    ['answers them with errors one after the other', 150],
  ])('counts deliveries that fail together once, when the receiver %s', async (_how, apartMs) => {
    const webhooks = await test.start();
    const held: (() => void)[] = [];
    test.receiver.answerWith((response) => held.push(() => void response.writeHead(500).end()));
    await test.add(webhooks, ...Array.from({ length: 10 }, (_, index) => `k${index}`));
    await waitUntil(async () => held.length === 4);
    test.receiver.answerWith((response) => response.end('ok'));
    for (const answer of held) {
      answer();
      await new Promise((resolve) => setTimeout(resolve, apartMs));
    }
    // The receiver would rest for 20 seconds and more after three failures.
    const delivered = async () => (await test.list(webhooks, { status: 'delivered' })).length;
    await waitUntil(async () => (await delivered()) === 6, { timeoutMs: 4_000 });
    expect((await test.list(webhooks, { status: 'waiting' })).length).toBe(4);
  });

  it('lets a receiver rest that fails again after deliveries that failed together', async () => {
    const webhooks = await test.start();
    test.receiver.answerWith((response) => void response.writeHead(500).end());
    await test.add(webhooks, ...Array.from({ length: 50 }, (_, index) => `k${index}`));
    const failed = async () => {
      const all = await test.list(webhooks);
      return all.filter(({ attempts }) => attempts.length > 0).length;
    };
    // Four together, and two more, one after the other.
    await waitUntil(async () => (await failed()) === 6);
    const { webhooks: entries } = await webhooks.answers.list({ viewer: ALL });
    expect(entries.map(({ waiting }) => waiting)).toEqual([50]);
    expect(test.receiver.received.length).toBe(6);
  });

  it('ends a webhook that answers 410, until a test of it succeeds', async () => {
    const webhooks = await test.start();
    test.receiver.answerWith((response) => response.writeHead(410).end('gone'));
    await test.add(webhooks, 'a');
    const readWebhook = async () => (await webhooks.answers.list({ viewer: ALL })).webhooks[0]!;
    await waitUntil(async () => (await readWebhook()).ended_at !== null);
    const [ended] = await test.list(webhooks);
    expect(ended).toMatchObject({ status: 'undelivered', next_attempt_at: null });
    expect((await test.addOnly(webhooks, 'b')).size).toBe(0);
    const message = { viewer: ALL, url: test.urlOf('/shop') };
    await expect(webhooks.answers.redeliver({ viewer: ALL, id: ended!.id })).rejects.toThrow(
      /answered 410: switch it on again/,
    );
    expect(await webhooks.answers.test(message)).toMatchObject({ status: 410, answer: 'gone' });
    expect((await readWebhook()).ended_at).not.toBeNull();
    test.receiver.answerWith((response) => response.end('back'));
    expect(await webhooks.answers.test(message)).toMatchObject({ status: 200, error: null });
    expect(JSON.parse(test.receiver.received.at(-1)!.body)).toMatchObject({ type: 'webhook.test' });
    expect(await readWebhook()).toMatchObject({ ended_at: null });
    await webhooks.answers.redeliver({ viewer: ALL, id: ended!.id });
    await waitUntil(async () => (await test.list(webhooks))[0]?.status === 'delivered');
    expect((await test.list(webhooks))[0]!.attempts.map(({ status }) => status)).toEqual([
      410, 200,
    ]);
  });

  it('follows changes of the file of tokens, and keeps what it had if it has a mistake', async () => {
    const webhooks = await test.start();
    test.writeTokens('tokens: [{ name: shop }]');
    await test.add(webhooks, 'a');
    await waitUntil(async () => test.keysAt('/shop').length === 1);
    await test.start({ shop: [test.hook('/moved')], begin: false });
    await waitUntil(async () => webhooks.directory.all[0]?.shownUrl === test.urlOf('/moved'));
    await test.add(webhooks, 'b');
    await waitUntil(async () => test.keysAt('/moved').length === 1);
    expect(test.keysAt('/shop')).toEqual(['a']);
  });
});
