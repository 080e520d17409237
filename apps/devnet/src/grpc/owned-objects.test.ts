import { beforeAll, describe, expect, it } from '@jest/globals';
import { create } from '@bufbuild/protobuf';
import { ListOwnedObjectsRequestSchema, StateService } from '@forecourt/ledger/node-messages';
import { status } from '@grpc/grpc-js';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import { fromHex, toHex } from '@iota/iota-sdk/utils';
import { Engine } from '../engine/engine.js';
import type { Coin } from '../testing/paid-transaction.test-support.js';
import { listOwnedObjects } from './owned-objects.js';
import { useDevnet } from '../testing/use-devnet.test-support.js';

const COINS = '0x2::coin::Coin<0x2::iota::IOTA>';
const AMOUNTS = [30, 10, 50, 20, 40];

interface Request {
  readonly owner?: { readonly address: Uint8Array };
  readonly objectType?: string;
  readonly pageSize?: number;
  readonly pageToken?: Uint8Array;
  readonly maxMessageSizeBytes?: number;
}

describe('ListOwnedObjects', () => {
  const own = useDevnet();
  let key: Ed25519Keypair;
  /** Ids by balance. */
  const ids = new Map<number, string>();
  beforeAll(async () => {
    key = new Ed25519Keypair();
    for (const amount of AMOUNTS) await mint(amount);
  });

  const mint = async (amount: number): Promise<Coin> => {
    const body = { owner: key.toIotaAddress(), amount: String(amount), count: 1 };
    const { coins } = (await own.devnet.control('POST', '/mint', body)) as { coins: [Coin] };
    ids.set(amount, coins[0].objectId);
    return coins[0];
  };
  const ask = (request: Request) =>
    own.grpc.unary(StateService.method.listOwnedObjects, {
      owner: { address: fromHex(key.toIotaAddress()) },
      objectType: COINS,
      ...request,
    });
  const idsOf = ({ objects }: Awaited<ReturnType<typeof ask>>) =>
    objects.map(({ reference }) => `0x${toHex(reference!.objectId!.objectId)}`);
  const byBalance = (...amounts: number[]) => amounts.map((amount) => ids.get(amount)!);
  const refusal = (details: string) => ({ code: status.INVALID_ARGUMENT, details });

  it.each([COINS, '0x2::coin::Coin', `0x${'0'.repeat(63)}2::coin::Coin<0x2::iota::IOTA>`])(
    'orders the coins of a type by falling balance: %s',
    async (objectType) => {
      expect(idsOf(await ask({ objectType }))).toEqual(byBalance(50, 40, 30, 20, 10));
    },
  );

  it('pages, and says where the next page begins until there is none', async () => {
    const first = await ask({ pageSize: 3 });
    const second = await ask({ pageSize: 2, pageToken: first.nextPageToken! });
    expect([idsOf(first), idsOf(second)]).toEqual([byBalance(50, 40, 30), byBalance(20, 10)]);
    expect(second.nextPageToken).toBeUndefined();
    const whole = await ask({ pageSize: 5 });
    expect(whole.nextPageToken).toBeUndefined();
  });

  it('misses or repeats coins whose balances change between two pages', async () => {
    await mint(60);
    const first = await ask({ pageSize: 2 });
    expect(idsOf(first)).toEqual(byBalance(60, 50));
    // 40 grows beyond the page that has been read, and is missed.
    const transaction = new Transaction();
    const [spent, grown] = byBalance(60, 40);
    transaction.setGasPayment([await mint(100_000_000)]);
    transaction.mergeCoins(transaction.object(grown!), [transaction.object(spent!)]);
    await own.devnet.client.signAndExecuteTransaction({ signer: key, transaction });
    const second = await ask({ pageToken: first.nextPageToken! });
    expect(idsOf(second)).toEqual(byBalance(30, 20, 10));
  });

  it('shows at most 1000 objects, and 50 where no number is given', () => {
    const owner = key.toIotaAddress();
    const genesisFunds = Array.from({ length: 1_001 }, () => ({ owner, amount: 1n }));
    const node = new Engine({ genesisFunds }).openFullNode();
    const count = (pageSize: number | undefined) => {
      const request = create(ListOwnedObjectsRequestSchema, {
        owner: { address: fromHex(owner) },
        ...(pageSize !== undefined && { pageSize }),
      });
      return listOwnedObjects(node, request, { version: '2025' }).objects!.length;
    };
    expect([undefined, 0, 1_000, 100_000].map(count)).toEqual([50, 50, 1_000, 1_000]);
  });

  it('shows nothing of an account without objects', async () => {
    const nobody = await ask({ owner: { address: new Uint8Array(32).fill(0xab) } });
    expect(nobody).toEqual({ $typeName: nobody.$typeName, objects: [] });
  });

  it('refuses tokens of other requests, and those that it did not make', async () => {
    const { nextPageToken } = await ask({ pageSize: 1 });
    const pageToken = nextPageToken!;
    const mismatch = 'page_token does not match request parameters';
    const other = { address: new Uint8Array(32).fill(1) };
    await expect(ask({ pageToken, owner: other })).rejects.toMatchObject(refusal(mismatch));
    await expect(ask({ pageToken, objectType: '0x2::coin::Coin' })).rejects.toMatchObject(
      refusal(mismatch),
    );
    const longer = Uint8Array.of(...pageToken, 0);
    for (const malformed of [Buffer.from('xyz'), longer]) {
      await expect(ask({ pageToken: malformed })).rejects.toMatchObject(
        refusal('invalid page_token'),
      );
    }
  });

  it('refuses a request without an owner, with a short one, a type that is none and a small message', async () => {
    await expect(own.grpc.unary(StateService.method.listOwnedObjects, {})).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: 'owner is required',
    });
    await expect(ask({ owner: { address: new Uint8Array(31) } })).rejects.toMatchObject({
      details: expect.stringMatching(/^invalid owner: .*expected 32 bytes$/),
    });
    await expect(ask({ objectType: 'no type' })).rejects.toMatchObject({
      details:
        'invalid object_type: Invalid struct type: no type. Got error: expected token ::, got [identifier]',
    });
    await expect(ask({ maxMessageSizeBytes: 1_000 })).rejects.toMatchObject({
      details: 'must be at least 1048576 bytes',
    });
  });
});
