import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readRpcRecording } from '../../recorded-node/index.js';
import type { NodeClient } from '../client/node-client.js';
import { NodeFailure } from '../transport/node-failure.js';
import { EventNode, recordedStream } from './event-node.test-support.js';
import { recordedPackages, recordedTransactions } from './recorded-packages.test-support.js';

/** The publication of a package emits it. */
const PUBLICATION = '145aBj4BouhvSDaAuHZWmmhHyiRUCgAXpXMbWnaoiaGt';
const EMISSION = 'J7csw5c5UmLMnNWbChmMHh8G4zBs6JNGGZeRcLX13UjE';
/** Of the publication. */
const CHECKPOINT = 4_280n;

interface Shown {
  readonly digest: string;
  readonly events?: readonly object[];
  readonly errors?: readonly string[];
}

/** The events of JSON-RPC, by the digest of their transaction. */
const expected = new Map<string, readonly object[]>();
/** Those of `iota_getEvents`, which lacks the time. */
const requests = new Map<string, readonly object[]>();
for (const { method, params, answer } of readRpcRecording()) {
  if (method === 'iota_getEvents') requests.set(String(params[0]), answer.result as object[]);
  const { digest, events } = (answer.result ?? {}) as Partial<Shown>;
  if (digest !== undefined && events !== undefined) expected.set(digest, events);
}

let node: EventNode;
beforeEach(async () => {
  node = await new EventNode(recordedPackages).start();
});
afterEach(() => node.stop());

async function read(digests: readonly string[]): Promise<Shown[]> {
  return (await node.client.getTransactions(digests, ['events'])) as Shown[];
}

async function stream(name: string): Promise<Shown[]> {
  node.stream = recordedStream(name);
  const results: object[] = [];
  const signal = new AbortController().signal;
  for await (const { transactions } of node.grpc.streamCheckpoints(0, ['events'], signal)) {
    results.push(...transactions);
  }
  return results as Shown[];
}

describe('the events of recorded transactions', () => {
  it('equal those of JSON-RPC, to the order of their fields', async () => {
    const compared = [...expected.keys()];
    expect(compared.filter((digest) => !recordedTransactions.has(digest))).toEqual([]);
    const transactions = await read(compared);
    for (const { digest, events } of transactions) {
      expect(JSON.stringify(events)).toBe(JSON.stringify(expected.get(digest)));
    }
    const emitted = transactions.flatMap(({ events }) => events!);
    expect(emitted.length).toBeGreaterThan(8);
  });

  it('equal those that JSON-RPC tells alone', async () => {
    expect(requests.size).toBeGreaterThan(30);
    for (const { digest, events } of await read([...requests.keys()])) {
      expect(events).toMatchObject(requests.get(digest)!);
      expect(events).toHaveLength(requests.get(digest)!.length);
    }
  });

  it.each([
    ['stream/3-everything', EMISSION],
    ['stream/3-everything-with-publish', PUBLICATION],
    ['stream/3-product-mask-without-object_changes', EMISSION],
    ['checkpoint/by-number-all', EMISSION],
  ])('equal those of JSON-RPC in %s, which holds no JSON', async (name, digest) => {
    const transactions = await stream(name);
    const found = transactions.find((one) => one.digest === digest);
    expect(JSON.stringify(found!.events)).toBe(JSON.stringify(expected.get(digest)));
    for (const one of transactions) expect(one.events).toBeDefined();
  });

  it('need one call for the packages of many transactions, which are kept', async () => {
    const digests = [...new Set([EMISSION, ...expected.keys()])];
    await read(digests);
    expect(node.packageCalls).toHaveLength(1);
    await read(digests);
    expect(node.packageCalls).toHaveLength(1);
  });

  it('are shown with the package that the transaction publishes, though the node does not show it', async () => {
    node.packages.clear();
    const [transaction] = await read([PUBLICATION]);
    expect(transaction!.events).toEqual(expected.get(PUBLICATION));
  });
});

describe('a package that cannot be read', () => {
  it('fails the call while the node has not executed the checkpoint of the event', async () => {
    node.packages.clear();
    node.height = CHECKPOINT;
    await expect(read([EMISSION])).rejects.toThrow(NodeFailure);
    await expect(stream('stream/3-everything')).rejects.toThrow(NodeFailure);
  });

  it('fails the call at its deadline if the node does not answer', async () => {
    node.isSilent = true;
    const started = performance.now();
    const ask = (client: NodeClient) => client.getTransactions([EMISSION], ['events']);
    const call = node.grpc.run({ method: 'getTransactions', ask }, 200);
    await expect(call).rejects.toThrow(/not read in time/);
    expect(performance.now() - started).toBeLessThan(4_000);
  });

  it('fails the call if the node refuses it', async () => {
    node.failure = { code: 3, message: 'no' };
    await expect(read([EMISSION])).rejects.toThrow(/cannot read packages: no/);
    node.failure = null;
    expect((await read([EMISSION]))[0]!.events).toEqual(expected.get(EMISSION));
  });

  it('leaves the events out, with the reason, if the node has executed their checkpoint', async () => {
    node.packages.clear();
    const [transaction] = await read([EMISSION]);
    expect(transaction).not.toHaveProperty('events');
    expect(transaction!.errors).toEqual([
      expect.stringMatching(/does not have the package 0x685aeb05/),
    ]);
  });

  it('leaves the events out, with the reason, if its bytecode is malformed', async () => {
    for (const [id, bytes] of recordedPackages) node.packages.set(id, bytes.subarray(0, 300));
    const [transaction] = await read([EMISSION]);
    expect(transaction!.errors).toEqual([expect.stringMatching(/malformed/)]);
  });
});
