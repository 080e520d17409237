import { afterEach, describe, expect, it } from '@jest/globals';
import { SOME_DIGEST, someEffects } from '../transactions/effects.test-support.js';
import { transactionDigest } from '../transactions/decoding/transaction-digest.js';
import type { InvalidAnswer, NodeChange } from './ledger-node.js';
import { LedgerNodes } from './ledger-nodes.js';
import { NodeFailure } from '../transport/node-failure.js';
import type { ClientCall } from '../client/routed-client.js';
import { NodeRefusal } from '../transport/node-refusal.js';
import { type Response, StandInNode } from './stand-in-node.test-support.js';

const BYTES = Uint8Array.of(1);
const DIGEST = transactionDigest(BYTES);
/** A call with the method of JSON-RPC that it becomes. */
interface Call extends ClientCall<unknown> {
  readonly posted: string;
}
const look = (digest: string): Call => ({
  method: 'getTransaction',
  ask: async (node) => (await node.getTransaction(digest, ['effects'])).effects,
  posted: 'iota_getTransactionBlock',
});
const READ = look(DIGEST);
const WRITE: Call = {
  method: 'execute',
  ask: (node) => node.execute(BYTES, []),
  posted: 'iota_executeTransactionBlock',
};
const CHECKPOINT: Call = {
  method: 'getCheckpoint',
  ask: (node) => node.getCheckpoint(7),
  posted: 'iota_getCheckpoint',
};
const COINS: Call = {
  method: 'getCoins',
  ask: (node) => node.getCoins('0x5', null),
  posted: 'iotax_getCoins',
};
const effectsOf = (node: string) => someEffects({ transactionDigest: DIGEST, node });
const [FIRST, SECOND] = [effectsOf('first'), effectsOf('second')];
const answerOf = (effects: object) => ({ result: { digest: DIGEST, effects } });

const NOT_FOUND = { code: -32602, message: 'Not found' };

const started: StandInNode[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((node) => node.stop()));
});

/** A node that gives this response to every call except the one for its network. */
async function aNode(response: Response, chain?: string): Promise<StandInNode> {
  const node = await StandInNode.start(() => response, chain);
  started.push(node);
  return node;
}

function nodesOf(...nodes: readonly StandInNode[]) {
  const changes: NodeChange[] = [];
  const invalid: InvalidAnswer[] = [];
  const onChange = (change: NodeChange) => changes.push(change);
  const onInvalidAnswer = (answer: InvalidAnswer) => invalid.push(answer);
  const urls = nodes.map(({ url }) => url);
  const options = { urls, timeoutMs: 2_000, onChange, onInvalidAnswer };
  return { nodes: new LedgerNodes(options), changes, invalid };
}
const received = ({ calls }: StandInNode, { posted }: Call) =>
  calls.filter(({ method }) => method === posted).length;

describe('LedgerNodes', () => {
  it('prefers the first as long as it responds', async () => {
    const [one, other] = [await aNode(answerOf(FIRST)), await aNode(answerOf(SECOND))];
    const { nodes } = nodesOf(one, other);
    expect(await nodes.send(READ)).toEqual(FIRST);
    expect(await nodes.send(WRITE)).toEqual(FIRST);
    expect(other.calls).toEqual([]);
  });

  it('does not fail a request because of one dead node, and retries that node only later', async () => {
    const [dead, other] = [await aNode(answerOf(FIRST)), await aNode(answerOf(SECOND))];
    await dead.stop();
    const { nodes, changes } = nodesOf(dead, other);
    for (const call of [READ, WRITE, READ]) expect(await nodes.send(call)).toEqual(SECOND);
    expect(changes).toEqual([
      {
        node: new URL(dead.url).host,
        reason: expect.stringContaining('ECONNREFUSED'),
        isForeign: false,
        isInvalid: false,
      },
    ]);
  });

  it('leaves a node that answers with another transaction, whose outcome stays unknown', async () => {
    const mixed = await aNode({ result: { effects: someEffects() } });
    const other = await aNode(answerOf(SECOND));
    const { nodes, changes, invalid } = nodesOf(mixed, other);
    const reason = expect.stringContaining('answer to another call') as unknown;
    await expect(nodes.send(WRITE)).rejects.toMatchObject({
      mayBeProcessed: true,
      isInvalid: true,
      message: reason,
    });
    expect(received(other, WRITE)).toBe(0);
    expect(changes).toEqual([]);
    expect(invalid).toEqual([{ node: new URL(mixed.url).host, reason }]);
    expect(await nodes.send(WRITE)).toEqual(SECOND);
  });

  it('reads at the next node after an answer to another call', async () => {
    const digest = SOME_DIGEST;
    const mixed = await aNode({ result: { digest: transactionDigest(BYTES) } });
    const right = someEffects();
    const { nodes } = nodesOf(mixed, await aNode({ result: { digest, effects: right } }));
    expect(await nodes.send(look(digest))).toEqual(right);
  });

  it.each<[string, Call, unknown]>([
    ['malformed', COINS, { data: [{}] }],
    ['about another call', CHECKPOINT, { sequenceNumber: 8 }],
    ['too large', COINS, 'x'.repeat(2 ** 23)],
  ])('moves one call only away from a node whose answer to it is %s', async (_, call, result) => {
    const [one, other] = [await aNode(answerOf(FIRST)), await aNode({ error: NOT_FOUND })];
    const { nodes, changes, invalid } = nodesOf(one, other);
    one.respond = ({ method }) => (method === call.posted ? { result } : answerOf(FIRST));
    await expect(nodes.send(call)).rejects.toBeInstanceOf(NodeRefusal);
    expect([changes, invalid.length]).toEqual([[], 1]);
    expect(await nodes.send(READ)).toEqual(FIRST);
    expect(received(other, READ)).toBe(0);
  });

  it('tells an answer that cannot be used from silence', async () => {
    const [answering, silent] = [await aNode({ result: {} }), await aNode({ status: 503 })];
    const failureAt = (node: StandInNode) =>
      nodesOf(node)
        .nodes.send(CHECKPOINT)
        .catch((error: unknown) => error as NodeFailure);
    const [invalid, unreachable] = [await failureAt(answering), await failureAt(silent)];
    expect(invalid).toMatchObject({
      isInvalid: true,
      message: expect.stringMatching(/gave an answer that cannot be used: malformed/),
    });
    expect(unreachable).toMatchObject({ isInvalid: false });
  });

  const PAGE: Response = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' };

  it.each<[string, Response]>([
    ['a page', PAGE],
    ['an answer that is cut off', { status: 200, body: '{"jsonrpc":"2.0","id":1,"resu' }],
    ['nothing', { status: 200 }],
    ['JSON of another interface', { status: 200, body: '{"status":"ok"}' }],
  ])(
    'does not call %s with status 200 silence, and asks such a node who it is',
    async (_, body) => {
      const [one, other] = [await aNode(body), await aNode(answerOf(SECOND))];
      const { nodes, changes, invalid } = nodesOf(one, other);
      await expect(nodesOf(one).nodes.send(READ)).rejects.toMatchObject({
        isInvalid: true,
        message: expect.stringMatching(/gave an answer that cannot be used: response is not JSON/),
      });
      expect(await nodes.send(READ)).toEqual(SECOND);
      expect([changes, invalid.length, one.identified]).toEqual([[], 1, 2]);
      one.chain = null;
      expect(await nodes.send(READ)).toEqual(SECOND);
      expect(changes).toMatchObject([{ isInvalid: true, isForeign: false }]);
      one.calls.length = 0;
      expect(await nodes.send(READ)).toEqual(SECOND);
      expect(one.calls).toEqual([]);
    },
  );

  it.each<[string, Response, RegExp]>([
    ['a page', PAGE, /cannot be used: response is not JSON/],
    ['a number', { result: 7 }, /cannot be used: malformed/],
    ['an error', { error: NOT_FOUND }, /cannot be used: it does not name its network: Not found/],
  ])('does not call a node silent that names %s as its network', async (_, response, message) => {
    const one = await StandInNode.start(() => response, null);
    started.push(one);
    const failure = {
      isInvalid: true,
      mayBeProcessed: false,
      message: expect.stringMatching(message),
    };
    await expect(nodesOf(one).nodes.send(WRITE)).rejects.toMatchObject(failure);
    const { nodes, changes } = nodesOf(one, await aNode(answerOf(SECOND)));
    for (const call of [WRITE, READ]) expect(await nodes.send(call)).toEqual(SECOND);
    expect(changes).toMatchObject([{ isInvalid: true }]);
  });

  it('leaves a node that starts to fail after one call', async () => {
    const [failing, other] = [await aNode(answerOf(FIRST)), await aNode(answerOf(SECOND))];
    const { nodes } = nodesOf(failing, other);
    await nodes.send(READ);
    failing.respond = () => ({ status: 502, body: '<html>' });
    for (let calls = 0; calls < 5; calls++) expect(await nodes.send(READ)).toEqual(SECOND);
    expect(received(failing, READ)).toBe(2);
  });

  it('returns to a node that responds again', async () => {
    const [one, other] = [await aNode({ status: 503 }), await aNode({ status: 503 })];
    const { nodes, changes } = nodesOf(one, other);
    await expect(nodes.send(READ)).rejects.toThrow('did not respond: HTTP status 503');
    one.respond = () => answerOf(FIRST);
    expect(await nodes.send(READ)).toEqual(FIRST);
    expect(changes.map(({ reason }) => reason)).toContain(null);
  });

  it('never repeats a write that a node may have processed', async () => {
    const [one, other] = [await aNode('reset'), await aNode(answerOf(SECOND))];
    const { nodes } = nodesOf(one, other);
    await expect(nodes.send(WRITE)).rejects.toMatchObject({ mayBeProcessed: true });
    expect(other.calls).toEqual([]);
    // The caller's next steps, a lookup and a repetition, go to the other node.
    expect(await nodes.send(READ)).toEqual(SECOND);
    expect(await nodes.send(WRITE)).toEqual(SECOND);
  });

  it.each([400, 401, 404, 413])(
    'does not repeat a write after HTTP status %d: a node behind a proxy may have processed it',
    async (status) => {
      const [one, other] = [await aNode({ status }), await aNode(answerOf(SECOND))];
      await expect(nodesOf(one, other).nodes.send(WRITE)).rejects.toMatchObject({
        mayBeProcessed: true,
      });
      expect(other.calls).toEqual([]);
    },
  );

  it('uses the next node after a write whose outcome the first does not know', async () => {
    const timedOut = { code: -32050, message: 'Transaction timed out before reaching finality' };
    const [one, other] = [await aNode({ error: timedOut }), await aNode(answerOf(SECOND))];
    const { nodes } = nodesOf(one, other);
    await expect(nodes.send(WRITE)).rejects.toBeInstanceOf(NodeRefusal);
    expect(await nodes.send(WRITE)).toEqual(SECOND);
  });

  it('keeps using a node that tells why it refuses a write, whatever the code', async () => {
    const stale = 'Object ID 0x1 Version 0x0 Digest D is not available for consumption';
    const locked = 'Failed to sign transaction by a quorum of validators because of locked objects';
    for (const message of [stale, locked]) {
      const error = { code: -32603, message };
      const [one, other] = [await aNode({ error }), await aNode({ result: 2 })];
      const { nodes } = nodesOf(one, other);
      for (let calls = 0; calls < 2; calls++) {
        await expect(nodes.send(WRITE)).rejects.toBeInstanceOf(NodeRefusal);
      }
      expect(other.calls).toEqual([]);
    }
  });

  it('treats an error of the ledger as an answer', async () => {
    const error = { code: -32602, message: 'Invalid params' };
    const [one, other] = [await aNode({ error }), await aNode(answerOf(SECOND))];
    const { nodes, changes } = nodesOf(one, other);
    for (let calls = 0; calls < 2; calls++) {
      await expect(nodes.send(READ)).rejects.toThrow('Invalid params');
    }
    expect([other.calls, changes]).toEqual([[], []]);
  });

  it('keeps using a node after its caller cancels a call', async () => {
    const [one, other] = [await aNode(answerOf(FIRST)), await aNode(answerOf(SECOND))];
    const { nodes, changes } = nodesOf(one, other);
    await nodes.send(READ);
    const { respond } = one;
    const cancelled = new AbortController();
    one.respond = () => {
      cancelled.abort();
      return 'silence';
    };
    await expect(nodes.send({ ...READ, signal: cancelled.signal })).rejects.toThrow();
    one.respond = respond;
    expect(await nodes.send(READ)).toEqual(FIRST);
    expect([other.calls, changes]).toEqual([[], []]);
  });

  it('never uses a node of another network', async () => {
    const [one, other] = [await aNode(answerOf(FIRST)), await aNode(answerOf(SECOND), 'f00df00d')];
    const { nodes } = nodesOf(one, other);
    await nodes.send(READ);
    await one.stop();
    await expect(nodes.send(READ)).rejects.toThrow('it is on network f00df00d, not a1b2c3d4');
    expect(received(other, READ)).toBe(0);
  });
});

describe('the rate limit of a ledger node', () => {
  const limited: Response = { status: 429, headers: { 'retry-after': '1' } };

  it('delays and repeats the call where there is no other node', async () => {
    const node = await aNode(limited);
    const { nodes } = nodesOf(node);
    const result = nodes.send(WRITE);
    node.respond = (call) => {
      node.respond = () => answerOf(FIRST);
      return call.method === WRITE.posted ? limited : answerOf(FIRST);
    };
    expect(await result).toEqual(FIRST);
    expect(received(node, WRITE)).toBe(2);
  });

  it('diverts calls to the other node', async () => {
    const [one, other] = [await aNode(limited), await aNode(answerOf(SECOND))];
    const { nodes } = nodesOf(one, other);
    for (let calls = 0; calls < 5; calls++) expect(await nodes.send(READ)).toEqual(SECOND);
    expect(received(one, READ)).toBe(1);
  });

  it('does not prolong a call beyond its deadline', async () => {
    const node = await aNode({ status: 429, headers: { 'retry-after': '1' } });
    const { nodes } = nodesOf(node);
    const begin = performance.now();
    const result = nodes.send(WRITE);
    node.respond = () => {
      node.respond = () => 'silence';
      return { status: 429, headers: { 'retry-after': '1' } };
    };
    await expect(result).rejects.toMatchObject({ mayBeProcessed: true });
    // The second call began after a second; with its own deadline it would end after three.
    expect(performance.now() - begin).toBeLessThan(2_900);
    expect(received(node, WRITE)).toBe(2);
  });

  it('is reported to the caller when it is long, and no call is sent until it ends', async () => {
    const node = await aNode({ status: 429, headers: { 'retry-after': '60' } });
    const { nodes } = nodesOf(node);
    await expect(nodes.send(READ)).rejects.toBeInstanceOf(NodeFailure);
    await expect(nodes.send(READ)).rejects.toThrow(/rate limit, retry in \d+ ms/);
    expect(received(node, READ)).toBe(1);
  });
});
