import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Agent } from 'undici';
import { NodeFailure } from '../transport/node-failure.js';
import { NodeRefusal } from '../transport/node-refusal.js';
import { postCall, type RpcCall } from './post-call.js';
import { type Response, StandInNode } from '../nodes/stand-in-node.test-support.js';

let node: StandInNode | undefined;
const ends: (() => void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) end();
  await node?.stop();
});

const dispatcher = new Agent();
const call = { method: 'iota_getChainIdentifier', params: ['a', 1] };

async function post(response: Response, timeoutMs = 5_000, headers = {}): Promise<unknown> {
  const started = await StandInNode.start(() => response, null);
  node = started;
  return postCall({ url: started.url, headers, dispatcher, timeoutMs }, call, 1);
}
const failure = async (response: Response, timeoutMs?: number): Promise<NodeFailure> => {
  const error: unknown = await post(response, timeoutMs).catch((caught: unknown) => caught);
  if (!(error instanceof NodeFailure)) throw new Error(`not a failure: ${String(error)}`);
  return error;
};

describe('postCall', () => {
  it('posts method, parameters and the configured headers, and returns the result', async () => {
    const headers = { authorization: 'Basic dXNlcjpwYXNz' };
    expect(await post({ result: { a: null } }, 5_000, headers)).toEqual({ a: null });
    expect(node!.calls).toMatchObject([
      { ...call, headers: { ...headers, 'content-type': 'application/json' } },
    ]);
  });

  it('returns null where that is the result', async () => {
    expect(await post({ result: null })).toBeNull();
  });

  it("keeps the error's data, which the SDK's transport drops", async () => {
    const error = { code: -32002, message: 'rejected', data: { reason: 'RejectedByValidators' } };
    await expect(post({ error })).rejects.toBeInstanceOf(NodeRefusal);
    await node!.stop();
    await expect(post({ error })).rejects.toMatchObject(error);
  });

  it.each([
    ['7', 7_000],
    ['86400', 60_000],
    ['soon', 1_000],
  ])(
    'reports a rate limit of HTTP status 429 with Retry-After %s as %d ms',
    async (retryAfter, ms) => {
      const limited = await failure({
        status: 429,
        headers: { 'retry-after': retryAfter },
        body: 'slow',
      });
      expect(limited).toMatchObject({ retryAfterMs: ms, mayBeProcessed: false, status: 429 });
    },
  );

  it('reports a rate limit of code -32009 in a response of HTTP status 200', async () => {
    const limited = await failure({ error: { code: -32009, message: 'Too many requests' } });
    expect(limited).toMatchObject({ retryAfterMs: 1_000, mayBeProcessed: false });
    expect(limited.message).toContain('Too many requests');
  });

  it.each([401, 403])('names possibly missing headers for HTTP status %d', async (status) => {
    const refused = await failure({ status, body: 'go away' });
    expect(refused.message).toContain('LEDGER_HEADERS');
    expect(refused.mayBeProcessed).toBe(true);
  });

  it.each<[string, Response, string]>([
    ['a page of a balancer', { status: 502, body: '<html>Bad Gateway</html>' }, 'HTTP status 502'],
    [
      'HTML with status 200',
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' },
      'not JSON (text/html)',
    ],
    ['NaN', { status: 200, body: '{"result":NaN}' }, 'not JSON'],
    ['JSON that is not JSON-RPC', { status: 200, body: '"ok"' }, 'neither result nor error'],
    ['a closed connection', 'reset', ''],
  ])('reports %s as a call that may have been processed', async (_what, response, text) => {
    const unknown = await failure(response);
    expect(unknown.mayBeProcessed).toBe(true);
    expect(unknown.message).toContain(text);
    expect(unknown.message).not.toContain('<html>');
  });

  it('gives up after its time limit', async () => {
    const late = await failure('silence', 100);
    expect(late.message).toContain('timeout');
    expect(late.mayBeProcessed).toBe(true);
  });

  it('reports a call that cannot have been processed when no server listens', async () => {
    node = await StandInNode.start(() => 'silence', null);
    await node.stop();
    const post = postCall({ url: node.url, headers: {}, dispatcher, timeoutMs: 1_000 }, call, 1);
    await expect(post).rejects.toMatchObject({ mayBeProcessed: false });
    await expect(post).rejects.toThrow('ECONNREFUSED');
  });

  describe('reads no more of an answer than the bound of its method,', () => {
    const bound = 8 * 2 ** 20;
    /** A node that answers with these chunks, again and again until the connection is closed. */
    const endless = async (chunk: Buffer, headers: Record<string, string> = {}, pauseMs = 0) => {
      const sent = { bytes: 0, isClosed: Promise.withResolvers<void>() };
      const server = createServer((_request, response) => {
        response.writeHead(200, headers);
        const more = () => {
          if (response.destroyed) return;
          sent.bytes += chunk.length;
          response.write(chunk, () => void setTimeout(more, pauseMs));
        };
        response.once('close', () => sent.isClosed.resolve());
        more();
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      ends.push(() => server.close());
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const read = (timeoutMs: number, named: RpcCall = call) =>
        postCall({ url, headers: {}, dispatcher, timeoutMs }, named, 1);
      return { sent, read };
    };

    it('closes the connection, and names method and bound', async () => {
      const { sent, read } = await endless(Buffer.alloc(2 ** 20, ' '));
      await expect(read(30_000)).rejects.toMatchObject({
        message: `${call.method}: the answer exceeds ${bound} bytes`,
        mayBeProcessed: true,
      });
      await sent.isClosed.promise;
      expect(sent.bytes).toBeLessThan(4 * bound);
    });

    it('and more of one that may hold events', async () => {
      const { sent, read } = await endless(Buffer.alloc(2 ** 22, ' '));
      const looked = { method: 'iota_getTransactionBlock', params: ['D', { showEvents: true }] };
      await expect(read(60_000, looked)).rejects.toThrow(`exceeds ${8 * bound} bytes`);
      expect(sent.bytes).toBeGreaterThan(bound);
    });

    it('and ends one without an end at the deadline', async () => {
      const { sent, read } = await endless(Buffer.from(' '), {}, 10);
      await expect(read(200)).rejects.toMatchObject({
        message: expect.stringContaining('timeout'),
        mayBeProcessed: true,
      });
      await sent.isClosed.promise;
    });

    it('and decompresses nothing', async () => {
      const { read } = await endless(gzipSync(Buffer.alloc(2 ** 24)), {
        'content-encoding': 'gzip',
      });
      await expect(read(30_000)).rejects.toThrow('exceeds');
    });
  });

  it('keeps using the connection after an HTTP failure', async () => {
    node = await StandInNode.start(() => ({ status: 503, body: ' '.repeat(100_000) }), null);
    const options = { url: node.url, headers: {}, dispatcher, timeoutMs: 5_000 };
    for (let calls = 0; calls < 10; calls++) {
      await expect(postCall(options, call, calls)).rejects.toThrow('HTTP status 503');
    }
    // The first connection may still be in use when the second call begins.
    expect(node.connections).toBeLessThan(3);
  });
});
