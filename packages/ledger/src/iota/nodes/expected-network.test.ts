import { afterEach, describe, expect, it } from '@jest/globals';
import { LedgerUnreachable } from '../../ledger-unreachable.js';
import { ExpectedNetwork } from './expected-network.js';
import { LedgerNodes } from './ledger-nodes.js';
import type { NodeChange } from './ledger-node.js';
import { NodeFailure } from '../transport/node-failure.js';
import type { ClientCall } from '../client/routed-client.js';
import { type Response, StandInNode } from './stand-in-node.test-support.js';

const READ: ClientCall<number> = {
  method: 'getLatestCheckpoint',
  ask: (node) => node.getLatestCheckpoint(),
};
const WRITE: ClientCall<unknown> = {
  method: 'execute',
  ask: (node) => node.execute(Uint8Array.of(1), []),
};
const OURS = 'a1b2c3d4';
const OTHER = 'f00df00d';

const started: StandInNode[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((node) => node.stop()));
});

async function aNode(response: Response, chain = OURS, port = 0): Promise<StandInNode> {
  const node = await StandInNode.start(() => response, chain, port);
  started.push(node);
  return node;
}

/** `network`: the required network; absent: that of the first node that answers. */
function nodesOn(network: ExpectedNetwork | undefined, { url }: StandInNode) {
  const changes: NodeChange[] = [];
  const onChange = (change: NodeChange) => changes.push(change);
  const nodes = new LedgerNodes({ urls: [url], timeoutMs: 2_000, onChange, network });
  return { nodes, changes };
}
const ours = () => new ExpectedNetwork(async () => OURS);

describe('ExpectedNetwork', () => {
  it('reads the network once per connection, not per call', async () => {
    const node = await aNode({ result: 1 });
    const { nodes } = nodesOn(ours(), node);
    for (let calls = 0; calls < 20; calls++) await nodes.send(READ);
    expect(node.identified).toBe(1);
    await Promise.all(Array.from({ length: 20 }, () => nodes.send(READ)));
    expect(node.identified).toBe(node.connections);
  });

  it('sends no call to a single node on another network', async () => {
    const node = await aNode({ result: 1 }, OTHER);
    const { nodes, changes } = nodesOn(ours(), node);
    const refused: unknown = await nodes.send(WRITE).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(NodeFailure);
    expect(refused).toMatchObject({ mayBeProcessed: false });
    await expect(nodes.getChainIdentifier()).rejects.toBeInstanceOf(NodeFailure);
    expect(node.calls).toEqual([]);
    const reason = 'it is on network f00df00d, not a1b2c3d4';
    const change = { node: new URL(node.url).host, reason, isForeign: true, isInvalid: false };
    expect(changes).toEqual([change]);
  });

  it.each([
    ['the pinned network', ours],
    ['the network of the first node that answered', () => undefined],
  ])('keeps to %s: it leaves another network on the same port', async (_what, of) => {
    const node = await aNode({ result: 1 });
    const { nodes, changes } = nodesOn(of(), node);
    expect(await nodes.send(READ)).toBe(1);
    await node.stop();
    const foreign = await aNode({ result: 2 }, OTHER, node.port);
    // The client may not have detected the lost connection yet.
    await nodes.send(READ).catch(() => null);
    for (const call of [READ, WRITE, READ]) {
      await expect(nodes.send(call)).rejects.toThrow('it is on network f00df00d, not a1b2c3d4');
    }
    expect(foreign.calls).toEqual([]);
    await foreign.stop();
    await aNode({ result: 1 }, OURS, node.port);
    await nodes.send(READ).catch(() => null);
    expect(await nodes.send(READ)).toBe(1);
    expect(changes.at(-1)?.reason).toBeNull();
  });

  it('prefers the configured network once it is known, also on open connections', async () => {
    let known: string | null = null;
    const network = new ExpectedNetwork(async () => known);
    const foreign = await aNode({ result: 2 }, OTHER);
    const { nodes } = nodesOn(network, foreign);
    expect(await nodes.send(READ)).toBe(2);
    known = OURS;
    await expect(nodes.send(READ)).rejects.toThrow('it is on network f00df00d, not a1b2c3d4');
    foreign.chain = OURS;
    expect(await nodes.send(READ)).toBe(2);
  });

  it('fails every call while the network cannot be found', async () => {
    const node = await aNode({ result: 1 });
    const network = new ExpectedNetwork(() => Promise.reject(new Error('Redis is away')));
    const { nodes, changes } = nodesOn(network, node);
    await expect(nodes.send(READ)).rejects.toBeInstanceOf(LedgerUnreachable);
    expect([node.calls, changes]).toEqual([[], []]);
  });

  it.each<[string, Response]>([
    ['a result', { result: 1 }],
    ['a refusal', { error: { code: -32602, message: 'Invalid params' } }],
    ['a status of HTTP', { status: 413 }],
  ])(
    '%s on a connection made meanwhile is ignored if the network changed',
    async (_what, answer) => {
      const node = await aNode(answer);
      node.closesConnections = true;
      const { nodes } = nodesOn(ours(), node);
      node.respond = () => {
        node.chain = OTHER;
        return answer;
      };
      const failure: unknown = await nodes.send(WRITE).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(NodeFailure);
      expect(failure).toMatchObject({ mayBeProcessed: true, status: undefined });
    },
  );

  it('checks the network after the answer where every response closes its connection', async () => {
    const node = await aNode({ result: 1 });
    node.closesConnections = true;
    const { nodes } = nodesOn(ours(), node);
    expect(await nodes.send(READ)).toBe(1);
    expect(node.calls).toHaveLength(1);
  });

  it('rejects a node that does not name its network', async () => {
    const node = await StandInNode.start(() => ({ result: null }), null);
    started.push(node);
    const { nodes } = nodesOn(undefined, node);
    await expect(nodes.send(READ)).rejects.toThrow('iota_getChainIdentifier: result is not a text');
    expect(node.calls.some(({ method }) => method !== 'iota_getChainIdentifier')).toBe(false);
  });
});
