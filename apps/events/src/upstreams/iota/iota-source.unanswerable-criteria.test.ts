import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { EventCriterion } from '@forecourt/contracts';
import { NodePause } from '../node-pause.js';
import { nodeOptions, type StandInServer } from '../stand-in-server.test-support.js';
import { createIotaSource } from './iota-source.js';
import { readPage } from './read-source.test-support.js';
import { SENDER, RealisticNode } from './realistic-node.test-support.js';

const OBJECT: EventCriterion = { key: 'Object', value: `0x${'7'.repeat(64)}` };
const PUBLISH: EventCriterion = { key: 'EventType', value: 'Publish' };
const DELETE: EventCriterion = { key: 'EventType', value: 'DeleteObject' };
const CHECKPOINTS = 12_000;
/** A page of 100 checkpoints takes 100 ms; all of them take more than twice this limit. */
const SEARCH_MS = 5_000;

let node: RealisticNode;
let server: StandInServer;
beforeEach(async () => {
  node = new RealisticNode({ checkpoints: CHECKPOINTS });
  server = await node.start();
});
afterEach(() => server.stop());

/** A distant node: a page of checkpoints takes two consecutive calls. */
class Distance extends NodePause {
  override async pass(signal: AbortSignal | null): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 50));
    return super.pass(signal);
  }
}

describe('a node without an index of objects', () => {
  beforeEach(() => ['ChangedObject', 'InputObject'].forEach((name) => node.unsupported.add(name)));

  it('refuses the criterion Object at once, with the reason and the alternatives', async () => {
    const faults = nodeOptions(server);
    const source = createIotaSource(faults);
    await expect(readPage(source, OBJECT)).rejects.toMatchObject({
      message: expect.stringMatching(
        /no index for the criterion Object .*ChangedObject and InputObject.*query by Sender/,
      ),
      data: { criterion: 'Object', unsupported: ['ChangedObject', 'InputObject'] },
    });
    expect(server.calls).toHaveLength(2);
    await expect(readPage(source, OBJECT)).rejects.toThrow('no index');
    expect(server.calls).toHaveLength(2);
    expect(faults.faults).toEqual([]);
  });

  it('answers the other criteria', async () => {
    const source = createIotaSource(nodeOptions(server));
    const { data } = await readPage(source, { key: 'Sender', value: SENDER }, { limit: 5 });
    expect(data).toHaveLength(5);
  });

  it('is asked again after a change of the ledger behind its URL', async () => {
    const source = createIotaSource(nodeOptions(server));
    await source.ledgerIdentity();
    await expect(readPage(source, OBJECT)).rejects.toThrow('no index');
    node.unsupported.clear();
    const respond = server.respond;
    server.respond = (call) =>
      call.method === 'iota_getChainIdentifier' ? { result: 'b2c3d4e5' } : respond(call);
    await source.ledgerIdentity();
    await expect(readPage(source, OBJECT, { limit: 1 })).resolves.toBeDefined();
  });
});

describe('a query that must read one checkpoint after another', () => {
  const distant = () =>
    createIotaSource({ ...nodeOptions(server), pause: new Distance(), searchMs: SEARCH_MS });

  it('is refused long before the end if that takes too long, with the limit', async () => {
    await expect(readPage(distant(), PUBLISH)).rejects.toMatchObject({
      message: expect.stringMatching(/EventType Publish.* 12000 checkpoints .* may take 5 s/),
      data: { criterion: 'EventType Publish', checkpoints: CHECKPOINTS, limitSecs: 5 },
    });
    // 155 checkpoints.
    expect(server.callsOf('iota_getCheckpoints').length).toBeLessThan(8);
  });

  it('ends if the last checkpoint is reached in time', async () => {
    const source = createIotaSource(nodeOptions(server));
    node.checkpointCount = 500;
    expect(await readPage(source, PUBLISH)).toEqual({ data: [], nextCursor: null });
  });

  it('ends if it has found enough in time', async () => {
    const { data } = await readPage(distant(), DELETE, { limit: 120 });
    expect(data).toHaveLength(120);
  });

  it('returns the events that it has found, and continues there, if more would take too long', async () => {
    const page = await readPage(distant(), DELETE, { limit: 10_000 });
    expect(page.data.length).toBeGreaterThan(0);
    expect(page.data.length).toBeLessThan(CHECKPOINTS / 2);
    const next = { txSeq: page.data.at(-1)!.id.txSeq, eventSeq: 2 };
    expect(page.nextCursor).toEqual(next);
  });
});
