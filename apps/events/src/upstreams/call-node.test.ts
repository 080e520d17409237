import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { LedgerCall } from '@forecourt/runtime/metrics';
import { createCallNode, createNodeClient, type NodeOptions } from './call-node.js';
import { NodePause } from './node-pause.js';
import type { UpstreamFault } from './fault-report.js';
import { RateLimited } from './rate-limited.js';
import { NodeRefused } from './node-refused.js';
import { SERVICE_SESSION } from './node-calls.js';
import { nodeOptions, type Response, StandInServer } from './stand-in-server.test-support.js';

const OK: Response = { result: 'x' };
const LIMITED: Response = { error: { code: -32_009, message: 'Too many requests' } };

let server: StandInServer;
let faults: UpstreamFault[];
beforeEach(async () => {
  server = await StandInServer.start(() => OK);
  faults = [];
});
afterEach(() => server.stop());

const callWith = (more: Partial<NodeOptions> = {}) =>
  createCallNode({ ...nodeOptions(server, faults), ...more })(SERVICE_SESSION);

/** Responds with each in turn, and then always with the last. */
function respondInTurn(...responses: Response[]): void {
  server.respond = () => (responses.length > 1 ? responses.shift()! : responses[0]!);
}

const tooMany = (retryAfter: string): Response => ({
  status: 429,
  headers: { 'retry-after': retryAfter },
});

describe('a call that the rate limit of a node refuses', () => {
  it.each<[string, Response]>([
    ['HTTP 429', tooMany('1')],
    ['-32009', LIMITED],
  ])('is repeated after the pause, and counted (%s)', async (_name, limited) => {
    respondInTurn(limited, OK);
    const begin = performance.now();
    const outcomes: LedgerCall['outcome'][] = [];
    const call = callWith({ onCall: ({ outcome }) => outcomes.push(outcome) });
    expect(await call('m', [])).toBe('x');
    expect(performance.now() - begin).toBeGreaterThan(limited === LIMITED ? 450 : 950);
    expect(outcomes).toEqual(['refused', 'answered']);
    expect(faults.map(({ kind }) => kind)).toEqual(['rate_limited']);
  });

  it('begins a pause; while it is long, other calls fail at once without reaching the node', async () => {
    respondInTurn(tooMany('20'), OK);
    const call = callWith();
    await expect(call('m', [])).rejects.toThrow(RateLimited);
    const begin = performance.now();
    await expect(call('m', [])).rejects.toThrow(/limits the rate of calls; retry in 20 s/);
    expect(performance.now() - begin).toBeLessThan(5_000);
    expect(server.calls).toHaveLength(1);
  });

  it('begins a pause of 30 seconds at most, even if the node asks for more', async () => {
    const pause = new NodePause();
    pause.begin(new RateLimited(86_400_000));
    const failure = await pause.pass(null).catch((error: unknown) => error as RateLimited);
    expect((failure as RateLimited).retryAfterMs).toBeLessThanOrEqual(30_000);
  });

  it('is repeated twice at most', async () => {
    respondInTurn(tooMany('0'));
    await expect(callWith()('m', [])).rejects.toThrow(RateLimited);
    expect(server.calls).toHaveLength(3);
  });
});

describe('the headers that a provider requires', () => {
  it('are sent with every call, and never to the target of a redirect', async () => {
    const other = await StandInServer.start(() => OK);
    const headers = { 'x-api-key': 'k', authorization: 'Basic eA==' };
    const call = callWith({ headers });
    await call('m', []);
    expect(server.calls[0]!.headers).toMatchObject({
      ...headers,
      'content-type': 'application/json',
    });
    server.respond = () => ({ status: 307, headers: { location: other.url } });
    await expect(call('m', [])).rejects.toThrow(/HTTP status 307/);
    expect(other.calls).toHaveLength(0);
    await other.stop();
  });

  it('are suggested by the error if a node refuses a call without them', async () => {
    server.respond = () => ({ status: 401, headers: { 'content-type': 'text/plain' } });
    await expect(callWith()('m', [])).rejects.toThrow(/status 401.*EVENTS_UPSTREAM_HEADERS/);
  });
});

describe('a response that is not a JSON-RPC reply', () => {
  it.each<[string, Response, RegExp]>([
    [
      'HTML',
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' },
      /200 \(text\/html\)/,
    ],
    ['status 502', { status: 502, body: 'bad gateway' }, /status 502 \(no content type\)/],
    ['NaN', { status: 200, headers: { 'content-type': 'application/json' }, body: 'NaN' }, /200/],
    ['neither result nor error', { status: 200, body: '{"jsonrpc":"2.0","id":1}' }, /status 200/],
  ])('fails the call, naming status and content type: %s', async (_name, response, message) => {
    server.respond = () => response;
    const failure = callWith()('m', []);
    await expect(failure).rejects.toThrow(message);
    await expect(failure).rejects.not.toThrow(NodeRefused);
    expect(faults.map(({ kind }) => kind)).toEqual(['invalid_reply']);
  });
});

describe('an error that comes with a failed status', () => {
  it('is named by the fault', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: 1, message: 'bad key' } });
    server.respond = () => ({ status: 403, body });
    await expect(callWith()('m', [])).rejects.toThrow(/status 403 .* JSON-RPC reply: bad key; it/);
    expect(faults.map(({ kind }) => kind)).toEqual(['invalid_reply']);
  });
});

describe('an error without a code', () => {
  it('is a fault of the node, and no refusal', async () => {
    server.respond = () => ({ status: 200, body: '{"error":"busy"}' });
    await expect(callWith()('m', [])).rejects.not.toThrow(NodeRefused);
    expect(faults.map(({ kind }) => kind)).toEqual(['invalid_reply']);
  });
});

describe('an answer that exceeds the limit of its session', () => {
  it('is the failure of the client, and releases the memory', async () => {
    let memory = 0;
    const addMemory = (bytes: number) => {
      memory += bytes;
      return () => void (memory -= bytes);
    };
    const charged: number[] = [];
    const charge = (bytes: number) => charged.push(bytes);
    const session = { ...SERVICE_SESSION, addMemory, charge, maxResponseBytes: 1_000 };
    const call = createCallNode(nodeOptions(server, faults))(session);
    await call('m', []);
    server.respond = () => ({ result: 'x'.repeat(1_000) });
    await expect(call('m', [])).rejects.toMatchObject({ code: -32_702 });
    expect([memory, faults, charged.length]).toEqual([0, [], 2]);
    expect(charged[1]).toBeGreaterThan(1_000);
  });
});

describe('createCallNode', () => {
  it('sends concurrent calls as separate requests, because nodes refuse batches', async () => {
    const call = callWith();
    await Promise.all([call('a', []), call('b', [])]);
    expect(server.calls.map(({ method }) => method).sort()).toEqual(['a', 'b']);
    expect(server.batches).toBe(0);
  });
});

describe('an answer about another transaction', () => {
  const client = () => createNodeClient(nodeOptions(server, faults))(SERVICE_SESSION);

  it.each<[string, () => Promise<unknown>, unknown]>([
    ['getTransaction', () => client().getTransaction('A', []), { digest: 'B' }],
    [
      'getTransactions',
      () => client().getTransactions(['A', 'B'], []),
      [{ digest: 'A' }, { digest: 'C' }],
    ],
  ])('is a fault of the node: %s', async (_, ask, result) => {
    server.respond = () => ({ result });
    await expect(ask()).rejects.toThrow('answer to another call');
    expect(faults.map(({ kind }) => kind)).toEqual(['invalid_reply']);
  });

  it('is not one of those that were asked for, in any order or number', async () => {
    const result = [{ digest: 'B' }, null];
    server.respond = () => ({ result });
    expect(await client().getTransactions(['A', 'B'], [])).toEqual(result);
  });
});

describe('an answer without a bound', () => {
  it('is a fault of the node', async () => {
    const body = ' '.repeat(8 * 2 ** 20 + 1);
    server.respond = () => ({ status: 200, body });
    await expect(callWith()('m', [])).rejects.toThrow('the answer exceeds 8388608 bytes');
    expect(faults.map(({ kind }) => kind)).toEqual(['invalid_reply']);
  });
});
