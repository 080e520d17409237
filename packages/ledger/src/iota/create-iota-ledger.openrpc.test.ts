import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { settleFromEffects } from '../settle-from-effects.js';
import { dryRunTransaction } from './transactions/dry-run-transaction.js';
import { submitTransaction } from './transactions/submit-transaction.js';
import { decodeTransaction } from './transactions/decoding/decode-transaction.js';
import { findTransaction } from './transactions/find-transaction.js';
import { listGasCoins, readGasCoins } from './coins/gas-coins.js';
import { readObjects } from './objects/read-objects.js';
import { readStatus } from './nodes/ledger-status.js';
import { clientOf, StandInNode } from './nodes/stand-in-node.test-support.js';

interface Example {
  readonly params: Readonly<Record<string, unknown>>;
  readonly result: unknown;
}

// Imported by path because `test-e2e/testing` depends on this package.
const file = new URL('../../../../test-e2e/testing/src/openrpc/examples.json', import.meta.url);
const { methods } = JSON.parse(readFileSync(file, 'utf8')) as {
  methods: Record<string, Example>;
};

let node: StandInNode;
beforeEach(async () => {
  node = await StandInNode.start(
    ({ method, params }) => ({ result: consistent(method, params, methods[method]?.result) }),
    null,
  );
});

/** The specification's answers are about other transactions than its requests. */
function consistent(method: string, [named]: readonly unknown[], result: unknown): unknown {
  const { effects } = Object(result) as { effects?: Record<string, Record<string, unknown>> };
  if (!effects) return result;
  if (method === 'iota_getTransactionBlock') {
    return { ...(result as object), effects: { ...effects, transactionDigest: named } };
  }
  const decoded = decodeTransaction(Buffer.from(named as string, 'base64'));
  const { digest: transactionDigest, gasOwner, gasPayment } = decoded;
  const reference = { ...gasPayment[0]!, version: gasPayment[0]!.version + 1 };
  const gasObject = { owner: { AddressOwner: gasOwner }, reference };
  return { ...(result as object), effects: { ...effects, transactionDigest, gasObject } };
}
afterEach(() => node.stop());

const paramsOf = (method: string) => methods[method]!.params;
const SPONSOR = '0x5';
const COIN = { objectId: '0x7', version: 1, digest: 'D', balance: 1_000n };

describe('examples of the node’s OpenRPC specification', () => {
  it('decodes iota_getChainIdentifier', async () => {
    expect(await clientOf(node).getChainIdentifier()).toBe('4c78adac');
  });

  it('decodes iotax_getBalance', async () => {
    expect(await clientOf(node).countCoins(SPONSOR)).toBe(15n);
  });

  it('decodes iotax_getCoins', async () => {
    const page = await firstOf(listGasCoins(clientOf(node), SPONSOR));
    expect(page).toHaveLength(3);
    expect(page[0]).toEqual({
      objectId: '0xa5a8e30db5a798a7354340b6ea78a66f50921841ab5359ec7a3dc01f282420ae',
      version: 103_626,
      digest: 'tw5DzJTfdxTn4f3rekFrhN7dQTUezBgsEhycDobTBLb',
      balance: 200_000_000n,
    });
  });

  it('decodes iota_multiGetObjects', async () => {
    const ids = paramsOf('iota_multiGetObjects')['object_ids'] as string[];
    const objects = await readObjects(clientOf(node), ids, ['owner']);
    const { AddressOwner: owner } = objects[0]!.data!.owner as { AddressOwner: string };
    const known = ids.map((objectId) => ({ objectId, version: 0 }));
    const coins = await readGasCoins(clientOf(node), owner, known);
    expect(coins.get(ids[0]!)).toMatchObject({ version: 1, balance: 100_000_000n });
    expect(coins.get(ids[1]!)).toBe('gone');
  });

  it('decodes iota_getTransactionBlock', async () => {
    const found = await findTransaction(
      clientOf(node),
      paramsOf('iota_getTransactionBlock')['digest'] as string,
    );
    expect(settleFromEffects(found!.effects, [COIN], SPONSOR)).toMatchObject({ gasCharged: 190n });
  });

  it('decodes iota_executeTransactionBlock', async () => {
    const { tx_bytes: bytes, signatures } = paramsOf('iota_executeTransactionBlock');
    const submission = await submitTransaction(
      clientOf(node),
      Buffer.from(bytes as string, 'base64'),
      signatures as string[],
      () => readStatus(clientOf(node)),
    );
    expect(submission).toMatchObject({ kind: 'executed', effects: { executedEpoch: '0' } });
  });

  it('decodes iota_dryRunTransactionBlock, and the transactions of the requests', async () => {
    for (const method of ['iota_dryRunTransactionBlock', 'iota_executeTransactionBlock']) {
      const bytes = Buffer.from(paramsOf(method)['tx_bytes'] as string, 'base64');
      const transaction = decodeTransaction(new Uint8Array(bytes));
      expect(transaction).toMatchObject({ gasPrice: 10n, gasBudget: 100_000n });
      expect(await dryRunTransaction(clientOf(node), transaction)).toMatchObject({
        kind: 'accepted',
      });
    }
  });
});

async function firstOf<T>(items: AsyncIterable<T>): Promise<T> {
  for await (const item of items) return item;
  throw new Error('there is none');
}
