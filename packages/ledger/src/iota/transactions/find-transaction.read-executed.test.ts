import { readRpcRecording } from '../../recorded-node/index.js';
import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import { afterEach, describe, expect, it } from '@jest/globals';
import { clientOf, type Response, StandInNode } from '../nodes/stand-in-node.test-support.js';
import { NodeFailure } from '../transport/node-failure.js';
import { readExecuted } from './find-transaction.js';

let node: StandInNode;
afterEach(() => node.stop());

interface Shown {
  readonly digest: string;
  /** Absent of one that no checkpoint contains yet. */
  readonly timestampMs?: string;
  readonly effects: { readonly transactionDigest: string };
  readonly transaction: {
    readonly data: {
      readonly sender: string;
      readonly gasData: {
        readonly owner: string;
        readonly payment?: readonly object[];
        readonly budget: string;
      };
    };
  };
}

/** The transactions of a real node that were recorded whole, by digest. */
const recorded = new Map<string, Shown>();
for (const { method, answer } of readRpcRecording()) {
  if (method !== 'iota_getTransactionBlock' || !answer.result) continue;
  const response = answer.result as Shown;
  recorded.set(response.digest, response);
}

/** A node that has the recorded transactions, and refuses a page with any other as real ones do. */
async function startRecorded(): Promise<void> {
  node = await StandInNode.start(({ params }): Response => {
    const [digests] = params as [string[]];
    const unknown = digests.find((digest) => !recorded.has(digest));
    if (unknown === undefined) return { result: digests.map((digest) => recorded.get(digest)) };
    const message = `Could not find the referenced transaction [TransactionDigest(${unknown})].`;
    return { error: { code: -32602, message } };
  });
}

const UNKNOWN = 'HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9';

describe('readExecuted', () => {
  it('reads every recorded transaction of a real node, whose dependencies made what it changed', async () => {
    await startRecorded();
    const found = await readExecuted(clientOf(node), [...recorded.keys()]);
    expect(found.size).toBe(recorded.size);
    expect(found.size).toBeGreaterThan(30);
    const makers = new Map<string, string>();
    for (const { digest, versionsAfter } of found.values()) {
      for (const [id, version] of versionsAfter) makers.set(`${id}:${version}`, digest);
    }
    let linked = 0;
    for (const one of found.values()) {
      const response = recorded.get(one.digest)!;
      const { sender, gasData } = response.transaction.data;
      expect(one.sender).toBe(normalizeIotaAddress(sender));
      expect(one.gasOwner).toBe(normalizeIotaAddress(gasData.owner));
      expect(one.executedAt).toBe(response.timestampMs ? Number(response.timestampMs) : null);
      for (const [id, version] of one.versionsBefore) {
        const maker = makers.get(`${id}:${version}`);
        if (maker === undefined) continue;
        expect(one.dependencies).toContain(maker);
        linked += 1;
      }
    }
    expect(linked).toBeGreaterThan(20);
  });

  it('describes commands as the history does', async () => {
    await startRecorded();
    const found = await readExecuted(clientOf(node), [...recorded.keys()]);
    const commands = new Set([...found.values()].flatMap((one) => one.commands));
    for (const command of commands) {
      expect(command).toMatch(
        /^(MoveCall 0x[0-9a-f]{64}::\w+::\w+|TransferObjects|SplitCoins|MergeCoins|Publish|Upgrade|MakeMoveVec)$/,
      );
    }
    expect(commands.size).toBeGreaterThan(5);
  });

  it('leaves out those that the node does not have, and finds the others of their page', async () => {
    await startRecorded();
    const [first, second] = [...recorded.keys()] as [string, string];
    const found = await readExecuted(clientOf(node), [first, UNKNOWN, second]);
    expect([...found.keys()]).toEqual([first, second]);
    expect(await readExecuted(clientOf(node), [UNKNOWN])).toEqual(new Map());
    expect(await readExecuted(clientOf(node), [])).toEqual(new Map());
  });

  it('does not take the effects of another transaction for those that it has asked for', async () => {
    const [first, second] = [...recorded.values()] as [Shown, Shown];
    node = await StandInNode.start(() => ({ result: [{ ...first, effects: second.effects }] }));
    await expect(readExecuted(clientOf(node), [first.digest])).rejects.toThrow(
      'answer to another call',
    );
  });

  it.each([
    ['a coin that did not pay', { coin: { objectId: `0x${'9'.repeat(64)}` } }],
    ['a coin of a later version', { coin: { version: 1e15 } }],
    ['less than it was charged', { gas: { budget: '1' } }],
  ])(
    'does not believe a node that names %s as the payment',
    async (_, { coin = {}, gas = {} }: { coin?: object; gas?: object }) => {
      const response = [...recorded.values()].find(({ transaction }) => {
        const { payment = [] } = transaction.data.gasData;
        return payment.length === 1 && BigInt(transaction.data.gasData.budget) > 1n;
      })!;
      const { data } = response.transaction;
      const payment = data.gasData.payment!.map((one) => ({ ...one, ...coin }));
      const gasData = { ...data.gasData, ...gas, payment };
      const transaction = { ...response.transaction, data: { ...data, gasData } };
      node = await StandInNode.start(() => ({ result: [{ ...response, transaction }] }));
      await expect(readExecuted(clientOf(node), [response.digest])).rejects.toThrow(NodeFailure);
    },
  );
});
