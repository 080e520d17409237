import { afterEach, describe, expect, it } from '@jest/globals';
import type { NodeChange } from './ledger-node.js';
import { LedgerNodes } from './ledger-nodes.js';
import { NodeFailure, NodeRefusal } from './node-errors.js';
import type { RpcCall } from './post-call.js';
import { type Response, StandInNode } from './stand-in-node.test-support.js';

const READ: RpcCall = { method: 'iota_getObject', params: [] };
const WRITE: RpcCall = { method: 'iota_executeTransactionBlock', params: [] };

const started: StandInNode[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((node) => node.stop()));
});

/** A node that responds like this to everything but the question which network it is on. */
async function aNode(response: Response, chain?: string): Promise<StandInNode> {
  const node = await StandInNode.start(() => response, chain);
  started.push(node);
  return node;
}

function nodesOf(...nodes: readonly StandInNode[]) {
  const changes: NodeChange[] = [];
  const onChange = (change: NodeChange) => changes.push(change);
  const urls = nodes.map(({ url }) => url);
  return { nodes: new LedgerNodes({ urls, timeoutMs: 2_000, onChange }), changes };
}
const received = ({ calls }: StandInNode, { method }: RpcCall) =>
  calls.filter((call) => call.method === method).length;

describe('several nodes', () => {
  it('prefers the first as long as it responds', async () => {
    const [one, other] = [await aNode({ result: 1 }), await aNode({ result: 2 })];
    const { nodes } = nodesOf(one, other);
    expect(await nodes.request(READ)).toBe(1);
    expect(await nodes.request(WRITE)).toBe(1);
    expect(other.calls).toEqual([]);
  });

  it('one dead node causes no failed request, and is asked again later only', async () => {
    const [dead, other] = [await aNode({ result: 1 }), await aNode({ result: 2 })];
    await dead.stop();
    const { nodes, changes } = nodesOf(dead, other);
    for (const call of [READ, WRITE, READ]) expect(await nodes.request(call)).toBe(2);
    expect(changes).toEqual([
      {
        node: new URL(dead.url).host,
        reason: expect.stringContaining('ECONNREFUSED'),
        isForeign: false,
      },
    ]);
  });

  it('a node that fails in the middle of its service is left after one call', async () => {
    const [failing, other] = [await aNode({ result: 1 }), await aNode({ result: 2 })];
    const { nodes } = nodesOf(failing, other);
    await nodes.request(READ);
    failing.respond = () => ({ status: 502, body: '<html>' });
    for (let calls = 0; calls < 5; calls++) expect(await nodes.request(READ)).toBe(2);
    expect(received(failing, READ)).toBe(2);
  });

  it('returns to a node that responds again', async () => {
    const [one, other] = [await aNode({ status: 503 }), await aNode({ status: 503 })];
    const { nodes, changes } = nodesOf(one, other);
    await expect(nodes.request(READ)).rejects.toThrow('did not respond: HTTP status 503');
    one.respond = () => ({ result: 1 });
    expect(await nodes.request(READ)).toBe(1);
    expect(changes.map(({ reason }) => reason)).toContain(null);
  });

  it('never repeats a write by itself that a node may have processed', async () => {
    const [one, other] = [await aNode('reset'), await aNode({ result: 2 })];
    const { nodes } = nodesOf(one, other);
    await expect(nodes.request(WRITE)).rejects.toMatchObject({ mayBeProcessed: true });
    expect(other.calls).toEqual([]);
    // What follows, looking it up and repeating it, goes to the other one.
    expect(await nodes.request(READ)).toBe(2);
    expect(await nodes.request(WRITE)).toBe(2);
  });

  it.each([400, 401, 404, 413])(
    'does not repeat a write that HTTP status %d answered: a node behind a proxy may have it',
    async (status) => {
      const [one, other] = [await aNode({ status }), await aNode({ result: 2 })];
      await expect(nodesOf(one, other).nodes.request(WRITE)).rejects.toMatchObject({
        mayBeProcessed: true,
      });
      expect(other.calls).toEqual([]);
    },
  );

  it('goes to the next node after a write whose outcome the first cannot tell', async () => {
    const timedOut = { code: -32050, message: 'Transaction timed out before reaching finality' };
    const [one, other] = [await aNode({ error: timedOut }), await aNode({ result: 2 })];
    const { nodes } = nodesOf(one, other);
    await expect(nodes.request(WRITE)).rejects.toBeInstanceOf(NodeRefusal);
    expect(await nodes.request(WRITE)).toBe(2);
  });

  it('takes an error of the ledger for an answer', async () => {
    const error = { code: -32602, message: 'Invalid params' };
    const [one, other] = [await aNode({ error }), await aNode({ result: 2 })];
    const { nodes, changes } = nodesOf(one, other);
    for (let calls = 0; calls < 2; calls++) {
      await expect(nodes.request(READ)).rejects.toThrow('Invalid params');
    }
    expect([other.calls, changes]).toEqual([[], []]);
  });

  it('does not leave a node whose call was cancelled by its caller', async () => {
    const [one, other] = [await aNode({ result: 1 }), await aNode({ result: 2 })];
    const { nodes, changes } = nodesOf(one, other);
    await nodes.request(READ);
    const { respond } = one;
    const cancelled = new AbortController();
    one.respond = () => {
      cancelled.abort();
      return 'silence';
    };
    await expect(nodes.request({ ...READ, signal: cancelled.signal })).rejects.toThrow();
    one.respond = respond;
    expect(await nodes.request(READ)).toBe(1);
    expect([other.calls, changes]).toEqual([[], []]);
  });

  it('never uses a node of another network', async () => {
    const [one, other] = [await aNode({ result: 1 }), await aNode({ result: 2 }, 'f00df00d')];
    const { nodes } = nodesOf(one, other);
    await nodes.request(READ);
    await one.stop();
    await expect(nodes.request(READ)).rejects.toThrow('it is on network f00df00d, not a1b2c3d4');
    expect(received(other, READ)).toBe(0);
  });
});

describe('a rate limit', () => {
  const limited: Response = { status: 429, headers: { 'retry-after': '1' } };

  it('is waited for, and the call made again, where there is no other node', async () => {
    const node = await aNode(limited);
    const { nodes } = nodesOf(node);
    const result = nodes.request(WRITE);
    node.respond = (call) => {
      node.respond = () => ({ result: 1 });
      return call.method === WRITE.method ? limited : { result: 1 };
    };
    expect(await result).toBe(1);
    expect(received(node, WRITE)).toBe(2);
  });

  it('sends calls to the other node meanwhile', async () => {
    const [one, other] = [await aNode(limited), await aNode({ result: 2 })];
    const { nodes } = nodesOf(one, other);
    for (let calls = 0; calls < 5; calls++) expect(await nodes.request(READ)).toBe(2);
    expect(received(one, READ)).toBe(1);
  });

  it('that is long is reported, and not asked against', async () => {
    const node = await aNode({ status: 429, headers: { 'retry-after': '60' } });
    const { nodes } = nodesOf(node);
    await expect(nodes.request(READ)).rejects.toBeInstanceOf(NodeFailure);
    await expect(nodes.request(READ)).rejects.toThrow(/rate limit, retry in \d+ ms/);
    expect(received(node, READ)).toBe(1);
  });
});
