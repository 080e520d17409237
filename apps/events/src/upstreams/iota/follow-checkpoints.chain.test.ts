import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { StoredEventRecord } from '@forecourt/contracts';
import type { EventSource } from '../event-source.js';
import { CheckpointChain } from '../checkpoint-chain.js';
import { ChainBroken } from '../chain-broken.js';
import type { LinkedCheckpoint } from '../sealed-checkpoint.js';
import { NodePause } from '../node-pause.js';
import { nodeOptions } from '../stand-in-server.test-support.js';
import { createIotaSource } from './iota-source.js';
import { positions, readPage, readPages, txSeqs } from './read-source.test-support.js';
import { RealisticNode } from './realistic-node.test-support.js';
import { StreamingNode } from './streaming-node.test-support.js';

const CHECKPOINTS = 10;
const PER_CHECKPOINT = 2;
const ALL = { key: 'All' } as const;

/** A node of ten checkpoints whose address a test lets lead to another network. */
interface Address {
  readonly source: EventSource;
  change(): void;
  changeBack(): void;
  /** Seals further checkpoints. */
  grow(count: number): void;
  stop(): void | Promise<void>;
}

async function overJsonRpc(): Promise<Address> {
  const shape = { checkpoints: 2 * CHECKPOINTS, perCheckpoint: PER_CHECKPOINT };
  const node = new RealisticNode(shape);
  node.checkpointCount = CHECKPOINTS;
  const server = await node.start();
  return {
    source: createIotaSource(nodeOptions(server)),
    change: () => (node.network = 'other'),
    changeBack: () => (node.network = 'ours'),
    grow: (count) => (node.checkpointCount += count),
    stop: () => server.stop(),
  };
}

async function overGrpc(): Promise<Address> {
  const node = await new StreamingNode(CHECKPOINTS).start();
  const options = { headers: {}, timeoutMs: 5_000, pause: new NodePause() };
  const onFault = () => undefined;
  return {
    source: createIotaSource({ ...options, url: node.url, onFault }, 'grpc'),
    change: () => (node.network = 9),
    changeBack: () => (node.network = 7),
    grow: (count) => node.add(count),
    stop: () => node.stop(),
  };
}

describe.each([
  ['JSON-RPC', overJsonRpc],
  ['gRPC', overGrpc],
])('checkpoints that are followed over %s', (_dialect, start) => {
  let address: Address;
  beforeEach(async () => {
    address = await start();
  });
  afterEach(() => address.stop());

  /** Follows until a checkpoint is delivered, or until an error. */
  async function follow(chain: CheckpointChain, from: number, until: number) {
    const stop = new AbortController();
    const records: StoredEventRecord[] = [];
    const last = PER_CHECKPOINT * (until + 1) - 1;
    try {
      const start = { txSeq: PER_CHECKPOINT * from, eventSeq: 0 };
      for await (const page of address.source.follow(start, stop.signal, chain)) {
        records.push(...page);
        if (records.at(-1)?.id.txSeq === last) stop.abort();
      }
      return { records, error: null };
    } catch (error) {
      return { records, error };
    }
  }
  const transactionsOf = (first: number, last: number) =>
    positions(PER_CHECKPOINT * first, PER_CHECKPOINT * (last + 1) - 1);

  it('are those of one network, although the address leads to another one for a time', async () => {
    const chain = new CheckpointChain(null);
    const before = await follow(chain, 0, 9);
    expect(txSeqs(before.records)).toEqual(transactionsOf(0, 9));
    address.change();
    address.grow(5);
    for (let attempt = 0; attempt < 2; attempt++) {
      const { records, error } = await follow(chain, 10, 14);
      expect([records, error]).toEqual([[], expect.any(ChainBroken)]);
    }
    address.changeBack();
    const { records, error } = await follow(chain, 10, 14);
    expect([txSeqs(records), error]).toEqual([transactionsOf(10, 14), null]);
  });

  it('begin with the one that continues the given one, or not at all', async () => {
    let [fourth] = [] as LinkedCheckpoint[];
    for await (const page of address.source.checkpoints(4, 4)) [fourth] = page;
    const { records } = await follow(new CheckpointChain(fourth!), 5, 9);
    expect(txSeqs(records)).toEqual(transactionsOf(5, 9));
    const strange = new CheckpointChain({ ...fourth!, digest: 'another' });
    expect(await follow(strange, 5, 9)).toEqual({ records: [], error: expect.any(ChainBroken) });
  });

  it('do not make queries fail permanently that have met another network', async () => {
    const { records } = await readPages(address.source, ALL);
    expect(txSeqs(records)).toEqual(transactionsOf(0, 9));
    address.change();
    address.grow(5);
    await readPage(address.source, ALL, { limit: 2, descending: true });
    address.changeBack();
    const mixed = await readPages(address.source, ALL);
    expect(mixed.error).toBeInstanceOf(ChainBroken);
    const again = await readPages(address.source, ALL);
    expect([txSeqs(again.records), again.error]).toEqual([transactionsOf(0, 14), null]);
  });
});
