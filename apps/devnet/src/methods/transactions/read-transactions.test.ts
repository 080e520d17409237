import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { signedTransfer } from '../../testing/signed-transfer.test-support.js';
import { startTestDevnet, type TestDevnet } from '../../testing/start-test-devnet.test-support.js';

const OPTIONS = { showObjectChanges: true };

interface Shown {
  readonly digest: string;
  readonly objectChanges?: readonly unknown[];
  readonly errors?: readonly string[];
}

describe('transactions that a node cannot show in full', () => {
  let devnet: TestDevnet;
  let key: Ed25519Keypair;
  const digests: string[] = [];
  beforeAll(async () => {
    devnet = await startTestDevnet();
    key = await devnet.fundedKey();
    for (let round = 0; round < 3; round++) digests.push(await transfer());
  });
  afterEach(() => devnet.control('DELETE', '/faults'));
  afterAll(() => devnet.stop());

  async function transfer(): Promise<string> {
    const { params, digest } = await signedTransfer(devnet, key);
    await devnet.rpc('iota_executeTransactionBlock', params);
    return digest;
  }

  const readEach = async () =>
    (await devnet.rpc('iota_multiGetTransactionBlocks', [digests, OPTIONS])).result as Shown[];
  const query = (limit: number, cursor: string | null = null) => {
    const filter = { FromAddress: key.toIotaAddress() };
    return devnet.rpc('iotax_queryTransactionBlocks', [
      { filter, options: OPTIONS },
      cursor,
      limit,
    ]);
  };

  it('have errors instead of object changes, one transaction or all', async () => {
    await devnet.setFault({ kind: 'omitChanges', digest: digests[1]! });
    const [first, second] = await readEach();
    expect(first?.objectChanges?.length).toBeGreaterThan(0);
    expect(second).not.toHaveProperty('objectChanges');
    expect(second?.errors).toEqual([expect.stringContaining(digests[1]!)]);
    await devnet.setFault({ kind: 'omitChanges' });
    for (const answer of await readEach()) {
      expect(answer).not.toHaveProperty('objectChanges');
      expect(answer.errors).toHaveLength(1);
    }
    const plain = await devnet.rpc('iota_getTransactionBlock', [digests[0]!, {}]);
    expect(plain.result).not.toHaveProperty('errors');
  });

  it('fail a whole page when one cannot be converted', async () => {
    await devnet.setFault({ kind: 'unconvertible', digest: digests[2]! });
    expect((await query(3)).error?.code).toBe(-32603);
    expect((await query(2)).result).toMatchObject({
      data: [{ digest: digests[0] }, { digest: digests[1] }],
      nextCursor: digests[1],
      hasNextPage: true,
    });
    expect((await query(1, digests[1])).error?.message).toContain(digests[2]!);
    expect((await devnet.rpc('iota_multiGetTransactionBlocks', [digests])).error?.code).toBe(
      -32603,
    );
    expect((await devnet.rpc('iota_getTransactionBlock', [digests[2]])).error?.code).toBe(-32603);
  });
});

describe('the order of iotax_queryTransactionBlocks', () => {
  let devnet: TestDevnet;
  let key: Ed25519Keypair;
  beforeAll(async () => {
    devnet = await startTestDevnet();
    key = await devnet.fundedKey();
  });
  afterAll(() => devnet.stop());

  async function transfer(): Promise<string> {
    const { params, digest } = await signedTransfer(devnet, key);
    await devnet.rpc('iota_executeTransactionBlock', params);
    return digest;
  }

  async function listed(order: 'ascending' | 'descending', limit = 50): Promise<string[]> {
    const filter = { FromAddress: key.toIotaAddress() };
    const found: string[] = [];
    let cursor: string | null | undefined = null;
    for (;;) {
      const page = await devnet.client.queryTransactionBlocks({ filter, cursor, order, limit });
      found.push(...page.data.map(({ digest }) => digest));
      if (!page.hasNextPage) return found;
      cursor = page.nextCursor;
    }
  }

  it('is that of execution on the node, also after the fault', async () => {
    const before = await transfer();
    const id = await devnet.setFault({ kind: 'reorder', group: 2 });
    const [one, two, three] = [await transfer(), await transfer(), await transfer()];
    expect(await listed('ascending')).toEqual([before, two, one]);
    await devnet.control('DELETE', `/faults/${id}`);
    const after = await transfer();
    const order = [before, two, one, three, after];
    expect(await listed('ascending')).toEqual(order);
    expect(await listed('ascending', 1)).toEqual(order);
    expect(await listed('descending', 2)).toEqual(order.toReversed());
    const checkpoints = await devnet.client.getCheckpoints({ descendingOrder: true, limit: 4 });
    const ledgers = checkpoints.data.flatMap(({ transactions }) => transactions).toReversed();
    expect(ledgers).toEqual([one, two, three, after]);
  });

  it('keeps transactions in their epoch, and finds no cursor that is not in the index yet', async () => {
    const known = await listed('ascending');
    await devnet.setFault({ kind: 'reorder', group: 9 });
    const [one, two] = [await transfer(), await transfer()];
    expect(await listed('ascending')).toEqual(known);
    const from = await devnet.rpc('iotax_queryTransactionBlocks', [{}, one]);
    expect(from.error?.message).toContain('Could not find the referenced transaction');
    await devnet.control('POST', '/epoch');
    const three = await transfer();
    expect(await listed('ascending')).toEqual([...known, two, one]);
    await devnet.control('DELETE', '/faults');
    expect(await listed('ascending')).toEqual([...known, two, one, three]);
  });

  it('can lag while other reads are current', async () => {
    await devnet.setFault({ kind: 'lag', checkpoints: 1, method: 'iotax_queryTransactionBlocks' });
    const digest = await transfer();
    expect(await listed('ascending')).not.toContain(digest);
    expect((await devnet.client.getTransactionBlock({ digest })).digest).toBe(digest);
    await devnet.control('DELETE', '/faults');
    expect(await listed('ascending')).toContain(digest);
  });
});
