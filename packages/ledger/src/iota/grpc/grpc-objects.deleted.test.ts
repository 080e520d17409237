import { beforeEach, describe, expect, it } from '@jest/globals';
import type { DecodedTransaction } from '../../decoded-transaction.js';
import { readGasCoins } from '../coins/gas-coins.js';
import { inspectInputs } from '../objects/inspect-inputs.js';
import { KnownObjects } from '../objects/known-objects.js';
import { haveInputsMovedOn } from '../objects/read-objects.js';
import { addressOf, StateNode, stopNodesAfterEachTest } from './state-node.test-support.js';

stopNodesAfterEachTest();

const OWNER = addressOf('5');
const [COIN, OTHER, INPUT] = [addressOf('c1'), addressOf('c2'), addressOf('1')];
const DIGEST = 'HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9';
const reference = (objectId: string, version: number) => ({ objectId, version, digest: DIGEST });

let node: StateNode;
beforeEach(async () => {
  node = await StateNode.start();
});

const read = async (...known: [id: string, version: number][]) => {
  const coins = known.map(([objectId, version]) => ({ objectId, version }));
  return Object.fromEntries(await readGasCoins(node.client, OWNER, coins));
};

describe('gas coins over gRPC', () => {
  it('are gone once a node that had them at the known version shows them no longer', async () => {
    node.put(COIN, 7);
    node.put(OTHER, 9);
    node.remove(COIN);
    expect(await read([COIN, 7], [OTHER, 8])).toEqual({
      [COIN]: 'gone',
      [OTHER]: expect.objectContaining({ version: 9 }),
    });
  });

  it.each<[string, () => void]>([
    ['does not have them yet', () => undefined],
    ['has an earlier version only, from before they were wrapped', () => node.put(COIN, 5)],
    [
      'has pruned the known version',
      () => {
        node.put(COIN, 7);
        node.prune(COIN, 7);
      },
    ],
  ])('are not shown by a node that %s', async (_what, prepare) => {
    prepare();
    node.remove(COIN);
    expect(await read([COIN, 7])).toEqual({});
  });

  it.each([1, 2, 3])(
    'are not gone because a node that lags receives them just before item %i that it reads',
    async (item) => {
      let reads = 0;
      node.onRead = () => {
        reads += 1;
        if (reads === item) node.put(COIN, 7);
      };
      expect(await read([COIN, 7])).toEqual({ [COIN]: expect.objectContaining({ version: 7 }) });
    },
  );

  it('cost one call while all are shown or no version is known, otherwise one more', async () => {
    node.put(COIN, 7);
    await read([COIN, 7], [OTHER, 0]);
    expect(node.calls).toEqual([[COIN, OTHER]]);
    await read([COIN, 7], [OTHER, 3]);
    expect(node.calls.slice(1)).toEqual([
      [COIN, OTHER],
      [`${OTHER}@3`, COIN, OTHER],
    ]);
  });

  it('are an error of the node if it shows another object than the one asked for', async () => {
    node.put(COIN, 7);
    node.put(OTHER, 8);
    node.alias(OTHER, COIN);
    await expect(read([OTHER, 8])).rejects.toThrow(/not those that were asked for/);
  });
});

const anyTransaction = {
  digest: DIGEST,
  sender: OWNER,
  commandKinds: [],
  ownedInputs: [],
  receivedInputs: [],
  sharedInputs: [],
  packages: [],
} as unknown as DecodedTransaction;
const inspect = (over: Partial<DecodedTransaction>) =>
  inspectInputs(
    node.client,
    { ...anyTransaction, ...over },
    new KnownObjects(),
    1n,
    async () => new Map(),
  );

describe('deleted inputs over gRPC', () => {
  it.each(['ownedInputs', 'receivedInputs'] as const)('are refused: %s', async (kind) => {
    node.put(INPUT, 4);
    node.remove(INPUT);
    const { refusal, undecided } = await inspect({ [kind]: [reference(INPUT, 4)] });
    expect(refusal).toMatch(/is not available for consumption/);
    expect(undecided).toBeNull();
  });

  it('leave a dry run to decide if they were shared: such transactions execute', async () => {
    node.put(INPUT, 4);
    node.remove(INPUT);
    const shared = { objectId: INPUT, initialSharedVersion: 4, mutable: true };
    const { refusal, undecided, doubts } = await inspect({ sharedInputs: [shared] });
    expect([refusal, undecided, doubts]).toEqual([null, null, [expect.stringContaining(INPUT)]]);
  });

  it('are awaited at a version that the node has not had', async () => {
    node.put(INPUT, 4);
    node.remove(INPUT);
    const { refusal, undecided } = await inspect({ ownedInputs: [reference(INPUT, 5)] });
    expect([refusal, undecided?.message]).toEqual([
      null,
      expect.stringContaining('Could not find the referenced object'),
    ]);
  });

  const moved = () =>
    haveInputsMovedOn(node.client, {
      ...anyTransaction,
      ownedInputs: [reference(INPUT, 4)],
      gasPayment: [reference(COIN, 7)],
    });

  it('exclude the transaction that needs them, while its coin has not moved', async () => {
    node.put(COIN, 7);
    expect(await moved()).toBe(false);
    node.put(INPUT, 4);
    expect(await moved()).toBe(false);
    node.remove(INPUT);
    expect(await moved()).toBe(true);
    node.put(COIN, 8);
    expect(await moved()).toBe(false);
  });

  it('exclude nothing if the node executes the transaction itself between two reads', async () => {
    node.put(COIN, 7);
    node.onRead = (ids) => {
      if (ids !== `${INPUT}@4`) return;
      node.put(INPUT, 4);
      node.remove(INPUT);
      node.put(COIN, 8);
    };
    expect(await moved()).toBe(false);
  });
});
