import { afterEach, describe, expect, it } from '@jest/globals';
import { createIotaLedger } from './create-iota-ledger.js';
import { SOME_DIGEST as DIGEST, someEffects } from './transactions/effects.test-support.js';
import { LedgerUnreachable } from '../ledger-unreachable.js';
import type { Ledger } from '../ledger.js';
import { transactionDigest } from './transactions/decoding/transaction-digest.js';
import { StandInNode } from './nodes/stand-in-node.test-support.js';
import { aTransaction } from './transactions/transaction.test-support.js';

const ID = `0x${'5'.repeat(64)}`;
const COIN = { objectId: ID, version: 6, digest: DIGEST };
const EFFECTS = someEffects();
const GAS = '0x2::iota::IOTA';
const TRANSACTION = Uint8Array.of(1);

let node: StandInNode;
afterEach(() => node.stop());

async function ledgerThatSays(result: unknown): Promise<Ledger> {
  node = await StandInNode.start(() => ({ result }));
  return createIotaLedger({ urls: [node.url], requestTimeoutMs: 2_000 });
}

const first = async (coins: AsyncIterable<unknown>) => {
  for await (const page of coins) return page;
  return null;
};

const withoutCost = { ...EFFECTS, gasUsed: { ...EFFECTS.gasUsed, storageRebate: undefined } };
const withoutVersion = {
  ...EFFECTS,
  gasObject: { owner: null, reference: { objectId: ID, digest: DIGEST } },
};
type Read = (ledger: Ledger) => Promise<unknown>;
const find: Read = (ledger) => ledger.findTransaction(DIGEST);
const readCoins: Read = (ledger) => ledger.readGasCoins(ID, [COIN]);
const listCoins: Read = (ledger) => first(ledger.listGasCoins(ID));
const dryRun: Read = async (ledger) =>
  ledger.dryRun(ledger.decodeTransaction((await aTransaction()).bytes));

describe('a malformed response is a failure that names method and field:', () => {
  it.each<[string, Read, unknown]>([
    ['getLatestIotaSystemState', (ledger) => ledger.status(), null],
    [
      'getLatestIotaSystemState: result.epochStartTimestampMs',
      (ledger) => ledger.status(),
      { epoch: '7', activeValidators: [] },
    ],
    ['iotax_getBalance: result.coinObjectCount', (ledger) => ledger.countGasCoins(ID), {}],
    ['iotax_getCoins: result.data', listCoins, { data: {} }],
    [
      'iotax_getCoins: result.data[0].version',
      listCoins,
      { data: [{ coinType: GAS, coinObjectId: ID }] },
    ],
    [
      'iotax_getCoins: result.data[0].previousTransaction',
      (ledger) => ledger.hasPaidForGas(ID),
      { data: [{ coinType: GAS, coinObjectId: ID, version: '1', digest: DIGEST, balance: '5' }] },
    ],
    ['iota_multiGetObjects: result', readCoins, null],
    ['iota_multiGetObjects: result', readCoins, []],
    ['iota_multiGetObjects: result[0]', readCoins, ['deleted']],
    ['iota_multiGetObjects: result[0].error', readCoins, [{}]],
    ['iota_multiGetObjects: result[0].data.version', readCoins, [{ data: { objectId: ID } }]],
    [
      'iota_multiGetObjects: result[0].data.version',
      readCoins,
      [{ data: { ...COIN, version: '-1' } }],
    ],
    [
      'getObjects: data.content.fields',
      readCoins,
      [
        {
          data: {
            ...COIN,
            owner: { AddressOwner: ID },
            content: { dataType: 'moveObject', type: '0x2::coin::Coin<0x2::iota::IOTA>' },
          },
        },
      ],
    ],
    ['iota_getTransactionBlock: result', find, null],
    [
      'iota_getTransactionBlock: result.effects.status',
      find,
      { digest: DIGEST, effects: { transactionDigest: DIGEST } },
    ],
    [
      'iota_getTransactionBlock: result.effects.gasUsed.storageRebate',
      find,
      { digest: DIGEST, effects: withoutCost },
    ],
    [
      'iota_getTransactionBlock: result.effects.gasObject.reference.version',
      find,
      { digest: DIGEST, effects: withoutVersion },
    ],
    [
      'iota_getTransactionBlock: result',
      (ledger) => ledger.readTransactionParts(DIGEST, ['events']),
      'executed',
    ],
    ['iota_dryRunTransactionBlock: result.effects', dryRun, { events: [] }],
    ['iota_dryRunTransactionBlock: result', dryRun, null],
  ])('rejects %s', async (what, read, result) => {
    const error: unknown = await read(await ledgerThatSays(result)).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(LedgerUnreachable);
    expect((error as Error).message).toContain('malformed response to ');
    expect((error as Error).message).toContain(what);
  });

  it.each<[string, unknown]>([
    ['result', null],
    ['result.effects', { digest: DIGEST }],
    [
      'result.effects.gasUsed.storageRebate',
      { effects: { ...withoutCost, transactionDigest: transactionDigest(TRANSACTION) } },
    ],
  ])('reports an unknown outcome for a write with a malformed %s', async (field, result) => {
    const ledger = await ledgerThatSays(result);
    const message = expect.stringContaining(`iota_executeTransactionBlock: ${field} is not`);
    expect(await ledger.submit(TRANSACTION, [])).toEqual({ kind: 'unknown', message });
  });

  it('accepts a well-formed response', async () => {
    const ledger = await ledgerThatSays({ digest: DIGEST, effects: EFFECTS });
    expect(await ledger.findTransaction(DIGEST)).toEqual({ digest: DIGEST, effects: EFFECTS });
  });
});

describe('what a node says about money', () => {
  const OWNER = { AddressOwner: ID };
  const change = (of: object) => [{ owner: OWNER, coinType: GAS, amount: '5', ...of }];

  /** A dry run whose balance changes the node shows like this; `status`: of its effects. */
  async function dryRunShowing(balanceChanges: unknown, status: object = { status: 'success' }) {
    const { bytes, sponsor, payment } = await aTransaction();
    const owner = { AddressOwner: sponsor };
    const reference = { ...COIN, objectId: payment[0]!.objectId, version: 8 };
    const gasObject = { owner, reference };
    const transactionDigestOf = transactionDigest(bytes);
    const effects = {
      ...someEffects({ transactionDigest: transactionDigestOf, gasObject }),
      status,
    };
    const ledger = await ledgerThatSays({ effects, balanceChanges });
    return ledger.dryRun(ledger.decodeTransaction(bytes));
  }

  it.each<[string, unknown]>([
    ...['abc', '1e99', '', ' 5', '5 ', '0x10', '1_000', '+5', '-0', '05', '5.0'].map(
      (amount): [string, unknown] => [`the amount "${amount}"`, change({ amount })],
    ),
    ['an amount that is a fraction', change({ amount: 1.5 })],
    ['an amount that is a list', change({ amount: ['5'] })],
    ['no amount', change({ amount: null })],
    ['an amount beyond 64 bits', change({ amount: String(2n ** 64n) })],
    ['a loss beyond 64 bits', change({ amount: String(-(2n ** 64n)) })],
    ['no owner', change({ owner: undefined })],
    ['an owner without an address', change({ owner: { AddressOwner: null } })],
    ['an owner with a text as address', change({ owner: { AddressOwner: 'abc' } })],
    ['an owner of a kind that no node has', change({ owner: { Anybody: ID } })],
    ['an owner that is a text', change({ owner: ID })],
    ['a shared object without a version', change({ owner: { Shared: {} } })],
    ['no coin type', change({ coinType: undefined })],
    ['a coin type that is a text', change({ coinType: 'IOTA' })],
    ['a coin type with spaces in front', change({ coinType: ` ${GAS}` })],
    ['a coin type with half a type argument', change({ coinType: '0x2::lp::LP<0x2' })],
    ['an entry that is null', [null]],
    ['an entry that is a list', [[OWNER, GAS, '5']]],
    ['an object instead of a list', {}],
    ['a text instead of a list', 'none'],
  ])('is malformed where balance changes of a dry run have %s', async (_, balanceChanges) => {
    await expect(dryRunShowing(balanceChanges)).rejects.toThrow(
      /iota_dryRunTransactionBlock: result\.balanceChanges.* is not /,
    );
    await node.stop();
    const ledger = await ledgerThatSays({ digest: DIGEST, balanceChanges });
    const parts = ledger.readTransactionParts(DIGEST, ['balanceChanges']);
    await expect(parts).rejects.toThrow(LedgerUnreachable);
  });

  it.each<[string, unknown, object[]]>([
    ['nothing', [], []],
    [
      'a loss of an object',
      change({ owner: { ObjectOwner: ID }, amount: '-7' }),
      [{ owner: ID, amount: -7n }],
    ],
    [
      'a gain of a shared object',
      change({
        owner: { Shared: { initial_shared_version: 3 } },
        coinType: '0x2::lp::LP<0x2::a::A, u8>',
      }),
      [{ owner: null, amount: 5n }],
    ],
    [
      'a loss of an immutable object',
      change({ owner: 'Immutable', amount: '-1' }),
      [{ owner: null }],
    ],
    [
      'as much as there can be',
      change({ amount: String(2n ** 64n - 1n) }),
      [{ amount: 2n ** 64n - 1n }],
    ],
  ])('is read where balance changes show %s', async (_, balanceChanges, read) => {
    expect(await dryRunShowing(balanceChanges)).toMatchObject({ kind: 'accepted' });
    await node.stop();
    const ledger = await ledgerThatSays(null);
    const changes = ledger.readBalanceChanges(balanceChanges, ID, {
      gasUsed: { ...EFFECTS.gasUsed, computationCost: '0' },
    });
    expect(changes).toMatchObject(read);
    expect(changes).toHaveLength(read.length);
  });

  it('may be no balance changes at all, which no condition can read', async () => {
    expect(await dryRunShowing(undefined)).toMatchObject({ kind: 'accepted' });
    await node.stop();
    const ledger = await ledgerThatSays(null);
    for (const none of [undefined, null]) {
      expect(() => ledger.readBalanceChanges(none, ID, EFFECTS)).toThrow(LedgerUnreachable);
    }
  });

  it('is malformed where the reason of a failure is not a text', async () => {
    const dryRun = dryRunShowing([], { status: 'failure', error: { code: 5 } });
    await expect(dryRun).rejects.toThrow('result.effects.status.error is not a text');
  });

  it.each<[string, unknown]>([
    ['an invalid address', { AddressOwner: null }],
    ['an address in words', { AddressOwner: 'mine' }],
    ['an invalid object', { ObjectOwner: 5 }],
    ['an empty version', { Shared: { initial_shared_version: '' } }],
    ['a version in hex', { Shared: { initial_shared_version: '0x10' } }],
  ])('is malformed where the owner of an object is %s', async (_, owner) => {
    const ledger = await ledgerThatSays([{ data: { ...COIN, owner, type: 'object' } }]);
    await expect(readCoins(ledger)).rejects.toThrow('iota_multiGetObjects: result[0].data.owner');
  });
});
