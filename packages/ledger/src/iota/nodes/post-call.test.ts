import { afterEach, describe, expect, it } from '@jest/globals';
import { Agent } from 'undici';
import { NodeFailure, NodeRefusal } from '../transport/node-errors.js';
import { postCall } from './post-call.js';
import { type Response, StandInNode } from './stand-in-node.test-support.js';

let node: StandInNode;
afterEach(() => node.stop());

const dispatcher = new Agent();
const call = { method: 'iota_getChainIdentifier', params: ['a', 1] };

async function post(response: Response, timeoutMs = 5_000, headers = {}): Promise<unknown> {
  node = await StandInNode.start(() => response, null);
  return postCall({ url: node.url, headers, dispatcher, timeoutMs }, call, 1);
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
    expect(node.calls).toMatchObject([
      { ...call, headers: { ...headers, 'content-type': 'application/json' } },
    ]);
  });

  it('returns null where that is the result', async () => {
    expect(await post({ result: null })).toBeNull();
  });

  it("keeps the error's data, which the SDK's transport drops", async () => {
    const error = { code: -32002, message: 'rejected', data: { reason: 'RejectedByValidators' } };
    await expect(post({ error })).rejects.toBeInstanceOf(NodeRefusal);
    await node.stop();
    await expect(post({ error })).rejects.toMatchObject(error);
  });

  it.each([
    ['7', 7_000],
    ['86400', 60_000],
    ['soon', 1_000],
  ])('reports a rate limit of HTTP status 429 with Retry-After %s as %d ms', async (asked, ms) => {
    const limited = await failure({ status: 429, headers: { 'retry-after': asked }, body: 'slow' });
    expect(limited).toMatchObject({ retryAfterMs: ms, mayBeProcessed: false, status: 429 });
  });

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
