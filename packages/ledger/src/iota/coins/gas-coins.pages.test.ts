import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findGasCoins } from '../../coins.js';
import type { GasCoin } from '../../object-reference.js';
import { addressOf, StateNode, stopNodesAfterEachTest } from '../grpc/state-node.test-support.js';
import { clientOf, StandInNode } from '../nodes/stand-in-node.test-support.js';
import { listGasCoins, readGasCoins } from './gas-coins.js';

stopNodesAfterEachTest();

const OWNER = addressOf('5');
const idOf = (number: number) => addressOf(`c${number}`);
/** Coins of falling balance, three on each page. */
const COINS = 10;

let node: StateNode;
beforeEach(async () => {
  node = await StateNode.start();
  node.pageSize = 3;
  for (let number = 1; number <= COINS; number++) node.put(idOf(number), 1, balanceOf(number));
});

function balanceOf(number: number): bigint {
  return 1_000n - BigInt(number) * 10n;
}

/** Has something happen just before a page is read. */
function before(page: number, happens: () => void): void {
  let pages = 0;
  node.onRead = (request) => {
    if (request === 'page' && ++pages === page) happens();
  };
}

async function list(): Promise<GasCoin[]> {
  const coins: GasCoin[] = [];
  for await (const page of listGasCoins(node.client, OWNER)) coins.push(...page);
  return coins;
}

const find = (known: readonly Pick<GasCoin, 'objectId' | 'version'>[] = []) =>
  findGasCoins(
    {
      listGasCoins: (owner) => listGasCoins(node.client, owner),
      readGasCoins: (owner, coins) => readGasCoins(node.client, owner, coins),
    },
    OWNER,
    known,
  );

describe('coins that change while a node over gRPC lists them by their balance', () => {
  it('are found at their later version, and counted once, if they follow again', async () => {
    const spend = () => node.put(idOf(1), 2, balanceOf(9));
    before(2, spend);
    const found = await find();
    expect(found.size).toBe(COINS);
    expect(found.get(idOf(1))).toMatchObject({ version: 2, balance: balanceOf(9) });
    node.put(idOf(1), 3, balanceOf(1));
    before(2, () => node.put(idOf(1), 4, balanceOf(9)));
    expect(await node.client.countCoins(OWNER)).toBe(BigInt(COINS));
  });

  it('are found by a separate read if no page has them', async () => {
    const known = Array.from({ length: COINS }, (_, index) => ({
      objectId: idOf(index + 1),
      version: 1,
    }));
    const topUp = () => node.put(idOf(9), 2, 5_000n);
    before(2, topUp);
    expect((await list()).map(({ objectId }) => objectId)).not.toContain(idOf(9));
    node.put(idOf(9), 3, balanceOf(9));
    before(3, () => node.put(idOf(9), 4, 5_000n));
    const found = await find(known);
    expect(found.size).toBe(COINS);
    expect(found.get(idOf(9))).toMatchObject({ version: 4, balance: 5_000n });
  });

  it('are gone if they were merged meanwhile', async () => {
    before(2, () => node.remove(idOf(9)));
    const found = await find([{ objectId: idOf(9), version: 1 }]);
    expect(found.get(idOf(9))).toBe('gone');
  });
});

describe('pages of coins that repeat themselves', () => {
  let rpc: StandInNode | undefined;
  afterEach(() => rpc?.stop());

  const endless = async () => {
    const coinType = '0x2::iota::IOTA';
    const listed = { coinType, coinObjectId: idOf(1), version: '1', digest: 'D', balance: '5' };
    const coin = { ...listed, previousTransaction: 'P' };
    rpc = await StandInNode.start(() => ({
      result: { data: [coin], hasNextPage: true, nextCursor: coin.coinObjectId },
    }));
    return clientOf(rpc);
  };

  it('are a failure of the node over JSON-RPC', async () => {
    const pages = listGasCoins(await endless(), OWNER);
    const readAll = async () => {
      for await (const page of pages) expect(page).toHaveLength(1);
    };
    await expect(readAll()).rejects.toThrow(/says that more follow/);
  });

  it('are a failure of the node over gRPC, also where they are counted', async () => {
    node.repeatsPages = true;
    await expect(list()).rejects.toThrow(/says that more follow/);
    await expect(node.client.countCoins(OWNER)).rejects.toThrow(/no end/);
  });
});
