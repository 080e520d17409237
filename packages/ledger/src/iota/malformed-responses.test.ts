import { afterEach, describe, expect, it } from '@jest/globals';
import { createIotaLedger } from './create-iota-ledger.js';
import { SOME_DIGEST as DIGEST, someEffects } from './transactions/effects.test-support.js';
import { type Ledger, LedgerUnreachable } from '../ledger.js';
import { transactionDigest } from './transactions/decoding/decode-transaction.js';
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
      { data: [{ coinType: GAS }] },
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
      'iota_multiGetObjects: data.content.fields',
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
