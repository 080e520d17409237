import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TransactionExecutionService } from '@forecourt/ledger/node-messages';
import type { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import type { Transaction } from '@iota/iota-sdk/transactions';
import { toBase58 } from '@iota/iota-sdk/utils';
import { status } from '@grpc/grpc-js';
import { type Item, refusalOfItem } from '../testing/execute-item.test-support.js';
import {
  buildPaid,
  type Coin,
  coinsOf,
  signedItem,
} from '../testing/paid-transaction.test-support.js';
import { useDevnet } from '../testing/use-devnet.test-support.js';

const { executeTransactions } = TransactionExecutionService.method;
const INPUTS =
  'Transaction execution failed due to issues with transaction inputs, please review the errors and try again: ';
const NOWHERE = `0x${'ab'.repeat(32)}`;
const NO_DIGEST = toBase58(new Uint8Array(32).fill(9));

describe('a refused submission over gRPC', () => {
  const own = useDevnet();
  let sender: Ed25519Keypair;
  let other: Ed25519Keypair;
  let othersCoin: Coin;
  beforeAll(async () => {
    other = await own.devnet.fundedKey();
    [othersCoin] = (await coinsOf(own.devnet, other)) as [Coin];
  });
  beforeEach(async () => {
    sender = await own.devnet.fundedKey();
  });

  const errorOf = (item: Item) => refusalOfItem(own.grpc, item);
  const refusal = async (fill?: (tx: Transaction, coins: readonly Coin[]) => void) =>
    errorOf(await signedItem(await buildPaid(own.devnet, sender, fill), sender));

  it.each<
    [string, (coins: readonly Coin[]) => string, (tx: Transaction, coins: readonly Coin[]) => void]
  >([
    [
      'an unknown object',
      () => `Could not find the referenced object ${NOWHERE} at version None`,
      (tx) => tx.objectRef({ objectId: NOWHERE, version: 1, digest: NO_DIGEST }),
    ],
    [
      'a version of the future',
      ([, coin]) =>
        `Could not find the referenced object ${coin!.objectId} at version Some(SequenceNumber(99))`,
      (tx, [, coin]) => tx.objectRef({ ...coin!, version: 99 }),
    ],
    [
      'a wrong digest',
      ([, coin]) =>
        `Invalid Object digest for object ${coin!.objectId}. Expected digest : o#${coin!.digest}`,
      (tx, [, coin]) => tx.objectRef({ ...coin!, digest: NO_DIGEST }),
    ],
    [
      'an unknown shared object',
      () => `Could not find the referenced object ${NOWHERE} at version None`,
      (tx) => tx.sharedObjectRef({ objectId: NOWHERE, initialSharedVersion: 1, mutable: true }),
    ],
    [
      'a wrong initial version',
      () => 'Wrong initial version given for shared object',
      (tx) => tx.sharedObjectRef({ objectId: '0x6', initialSharedVersion: 9, mutable: false }),
    ],
    [
      'an unknown package',
      () => `Dependent package not found on-chain: ${NOWHERE}`,
      (tx) => tx.moveCall({ target: `${NOWHERE}::main::call` }),
    ],
    [
      'a low price',
      () => 'Gas price 999 under reference gas price (RGP) 1000',
      (tx) => tx.setGasPrice(999),
    ],
    [
      'a high price',
      () => 'Gas price cannot exceed 100000 nanos',
      (tx) => tx.setGasPrice(1_000_000),
    ],
    [
      'a low budget',
      () => 'Gas budget: 10 is lower than min: 1000000',
      (tx) => tx.setGasBudget(10),
    ],
    [
      'a high budget',
      () => 'Gas budget: 50000000001 is higher than max: 50000000000',
      (tx) => tx.setGasBudget(50_000_000_001),
    ],
    [
      'a budget above the balance',
      () => 'Balance of gas object 10000000000 is lower than the needed amount: 10000000001',
      (tx) => tx.setGasBudget(10_000_000_001),
    ],
  ])('names the fault of the inputs, on one line: %s', async (_title, words, fill) => {
    const error = await refusal(fill);
    const message = `${INPUTS}${words(await coinsOf(own.devnet, sender))}.`;
    expect(error).toMatchObject({ code: status.INVALID_ARGUMENT, message, details: [] });
  });

  it('names both versions of a used coin in hexadecimal, and the version that a newer node names', async () => {
    const bytes = await buildPaid(own.devnet, sender);
    const [coin] = (await coinsOf(own.devnet, sender)) as [Coin];
    const { signature } = await sender.signTransaction(bytes);
    await own.devnet.client.executeTransactionBlock({ transactionBlock: bytes, signature });
    const again = await buildPaid(own.devnet, sender, (tx) => {
      tx.setGasPayment([coin]);
      tx.setGasBudget(9_000_000);
    });
    const hex = (version: number) => `0x${version.toString(16)}`;
    const version = Number(coin.version);
    expect(await errorOf(await signedItem(again, sender))).toMatchObject({
      code: status.INVALID_ARGUMENT,
      message:
        `${INPUTS}Object ID ${coin.objectId} Version ${hex(version)} Digest ${coin.digest} ` +
        `is not available for consumption, current version: ${hex(version + 1)}.`,
    });
  });

  it('names both owners of an object of another account', async () => {
    const error = await refusal((tx) => tx.objectRef(othersCoin));
    expect(error.message).toBe(
      `${INPUTS}Transaction was not signed by the correct sender: Object ${othersCoin.objectId} is owned by ` +
        `account address ${other.toIotaAddress()}, but given owner/signer address is ${sender.toIotaAddress()}.`,
    );
  });

  it('reports an expired transaction', async () => {
    await own.devnet.control('POST', '/epoch');
    const error = await refusal((tx) => tx.setExpiration({ Epoch: 0 }));
    expect(error.message).toBe(`${INPUTS}Transaction Expired.`);
  });

  it('names the transaction that holds a lock, and its objects', async () => {
    const bytes = await buildPaid(own.devnet, sender);
    const [coin] = (await coinsOf(own.devnet, sender)) as [Coin];
    await own.devnet.control('POST', '/locks', { objectId: coin.objectId, digest: NO_DIGEST });
    expect(await errorOf(await signedItem(bytes, sender))).toMatchObject({
      code: status.ABORTED,
      details: [],
      message: [
        'Failed to sign transaction by a quorum of validators because of locked objects. Conflicting Transactions:',
        '{',
        '    TransactionDigest(',
        `        ${NO_DIGEST},`,
        '    ): [',
        '        (',
        `            ${coin.objectId},`,
        '            SequenceNumber(',
        `                ${coin.version},`,
        '            ),',
        `            o#${coin.digest},`,
        '        ),',
        '    ],',
        '}',
      ].join('\n'),
    });
  });

  it.each([
    [0, 'transactions list must not be empty'],
    [21, 'batch size 21 exceeds maximum allowed (20)'],
  ])('refuses a batch of %i', async (count, details) => {
    const transactions = Array.from({ length: count }, () => ({}));
    const call = own.grpc.unary(executeTransactions, { transactions });
    await expect(call).rejects.toMatchObject({ code: status.INVALID_ARGUMENT, details });
  });

  it('refuses a whole call with an unknown path', async () => {
    const transactions = [await signedItem(await buildPaid(own.devnet, sender), sender)];
    const readMask = { paths: ['object_changes'] };
    const call = own.grpc.unary(executeTransactions, { transactions, readMask });
    await expect(call).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: 'invalid read_mask path: object_changes',
    });
    await own.devnet.control('POST', '/node', { version: '2026' });
    const { transactionResults } = await own.grpc.unary(executeTransactions, {
      transactions,
      readMask,
    });
    expect(transactionResults[0]!.result.case).toBe('executedTransaction');
    await own.devnet.control('DELETE', '/node');
  });
});
