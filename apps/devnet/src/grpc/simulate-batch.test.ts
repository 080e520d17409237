import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TransactionExecutionService } from '@forecourt/ledger/node-messages';
import { status } from '@grpc/grpc-js';
import { bcs } from '@iota/iota-sdk/bcs';
import type { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { type Transaction, TransactionDataBuilder } from '@iota/iota-sdk/transactions';
import { toBase58, toHex } from '@iota/iota-sdk/utils';
import { buildPaid, type Coin, coinsOf } from '../testing/paid-transaction.test-support.js';
import { useDevnet } from '../testing/use-devnet.test-support.js';

const { simulateTransactions } = TransactionExecutionService.method;
const FAILED = 'transaction simulation failed: Error checking transaction input objects: ';
const NOWHERE = `0x${'ab'.repeat(32)}`;
const NO_DIGEST = toBase58(new Uint8Array(32).fill(9));
const WITHOUT_CHECKS = { txChecks: [0] };

describe('SimulateTransactions', () => {
  const own = useDevnet();
  let sender: Ed25519Keypair;
  beforeEach(async () => {
    sender = await own.devnet.fundedKey();
  });
  afterEach(() => own.devnet.control('DELETE', '/node'));

  const simulateAll = async (all: readonly Uint8Array[], extra: object = {}, paths?: string[]) => {
    const { transactionResults } = await own.grpc.unary(simulateTransactions, {
      transactions: all.map((data) => ({ transaction: { bcs: { data } }, ...extra })),
      ...(paths && { readMask: { paths } }),
    });
    return transactionResults.map(({ result }) => result);
  };
  const simulate = async (data: Uint8Array, extra: object = {}, paths?: string[]) => {
    const [result] = await simulateAll([data], extra, paths);
    if (result!.case !== 'simulatedTransaction') throw new Error(JSON.stringify(result!.value));
    return result!.value;
  };
  const refusal = async (fill: (tx: Transaction, coins: readonly Coin[]) => void) => {
    const [result] = await simulateAll([await buildPaid(own.devnet, sender, fill)]);
    if (result!.case !== 'error') throw new Error('the transaction was simulated');
    return result!.value;
  };
  const unpaid = (tx: Transaction) => {
    tx.setGasPayment([]);
    tx.setGasBudget(0);
  };

  it('shows the transaction, its effects, events and objects, without checkpoint', async () => {
    const bytes = await buildPaid(own.devnet, sender, (tx) => {
      tx.moveCall({
        target: '0x2::coin::value',
        typeArguments: ['0x2::iota::IOTA'],
        arguments: [tx.gas],
      });
    });
    const { executedTransaction, suggestedGasPrice, executionResult } = await simulate(bytes);
    const { transaction, effects, events, inputObjects, outputObjects, checkpoint } =
      executedTransaction!;
    expect(Buffer.from(transaction!.bcs!.data)).toEqual(Buffer.from(bytes));
    expect(bcs.TransactionEffects.parse(effects!.bcs!.data).V1.status.$kind).toBe('Success');
    expect([events!.events!.events, checkpoint]).toEqual([[], undefined]);
    const idsOf = (objects: typeof inputObjects) =>
      objects!.objects.map(({ reference }) => `0x${toHex(reference!.objectId!.objectId)}`);
    const [coin] = (await coinsOf(own.devnet, sender)) as [Coin];
    const framework = `0x${'2'.padStart(64, '0')}`;
    expect(idsOf(inputObjects)).toEqual([framework, coin.objectId].sort());
    expect(idsOf(outputObjects)).toEqual([coin.objectId]);
    expect(outputObjects!.objects[0]!.reference!.version).toBe(BigInt(coin.version) + 1n);
    expect(suggestedGasPrice).toBe(1_000n);
    expect(executionResult).toMatchObject({
      case: 'commandResults',
      value: { results: [{ mutatedByRef: { outputs: [] }, returnValues: { outputs: [] } }] },
    });
  });

  it('names the command of a failed execution', async () => {
    const bytes = await buildPaid(own.devnet, sender, (tx) => {
      tx.moveCall({ target: '0x2::coin::nothing' });
    });
    const { executionResult } = await simulate(bytes, {}, ['execution_result']);
    expect(executionResult).toMatchObject({ case: 'executionError', value: { commandIndex: 0n } });
  });

  it('takes a budget of 0 as the largest one without checks, and answers with the costs', async () => {
    const bytes = await buildPaid(own.devnet, sender, unpaid);
    const { executedTransaction } = await simulate(bytes, WITHOUT_CHECKS);
    const { transaction, effects, inputObjects } = executedTransaction!;
    const { gasUsed } = bcs.TransactionEffects.parse(effects!.bcs!.data).V1;
    const transactionData = bcs.TransactionData.parse(transaction!.bcs!.data).V1;
    const costs = BigInt(gasUsed.computationCost) + BigInt(gasUsed.storageCost);
    expect(transactionData.gasData.budget).toBe(String(costs));
    expect(toBase58(transaction!.digest!.digest)).toBe(
      TransactionDataBuilder.getDigestFromBytes(transaction!.bcs!.data),
    );
    const [mock] = inputObjects!.objects;
    expect(toHex(mock!.reference!.objectId!.objectId)).toBe('f'.repeat(64));
    const [checked] = await simulateAll([bytes]);
    expect(checked).toMatchObject({
      case: 'error',
      value: {
        code: status.INTERNAL,
        message: `${FAILED}Gas budget: 0 is lower than min: 1000000`,
        details: [],
      },
    });
  });

  it('names the digest of the transaction with the coin that it makes up', async () => {
    const bytes = await buildPaid(own.devnet, sender, (tx) => tx.setGasPayment([]));
    const { executedTransaction } = await simulate(bytes);
    const { transaction, effects } = executedTransaction!;
    expect(Buffer.from(transaction!.bcs!.data)).toEqual(Buffer.from(bytes));
    const { transactionDigest, changedObjects } = bcs.TransactionEffects.parse(
      effects!.bcs!.data,
    ).V1;
    const [objectId, { inputState }] = changedObjects[0]!;
    const [[version, digest]] = inputState.Exist!;
    const { V1: data } = bcs.TransactionData.parse(bytes);
    const gasData = { ...data.gasData, payment: [{ objectId, version, digest }] };
    const paid = bcs.TransactionData.serialize({ V1: { ...data, gasData } }).toBytes();
    expect(transactionDigest).toBe(TransactionDataBuilder.getDigestFromBytes(paid));
    const overRpc = await own.devnet.client.dryRunTransactionBlock({ transactionBlock: bytes });
    expect(overRpc.effects.transactionDigest).toBe(
      TransactionDataBuilder.getDigestFromBytes(bytes),
    );
  });

  it.each<[string, (tx: Transaction, coins: readonly Coin[]) => void, RegExp]>([
    [
      'an unknown object',
      (tx) => tx.objectRef({ objectId: NOWHERE, version: 1, digest: NO_DIGEST }),
      /^Could not find the referenced object 0x(ab)+ at version None$/,
    ],
    [
      'a version of the future',
      (tx, [, coin]) => tx.objectRef({ ...coin!, version: 99 }),
      /at version Some\(SequenceNumber\(99\)\)$/,
    ],
    [
      'a version that never was',
      (tx, [, coin]) => tx.objectRef({ ...coin!, version: 0 }),
      /^Object ID 0x\w+ Version 0x0 Digest \w+ is not available for consumption, current version: 0x\w+$/,
    ],
    [
      'a wrong digest',
      (tx, [, coin]) => tx.objectRef({ ...coin!, digest: NO_DIGEST }),
      /^Invalid Object digest for object 0x\w+. Expected digest : o#\w+$/,
    ],
    [
      'an unknown package',
      (tx) => tx.moveCall({ target: `${NOWHERE}::main::call` }),
      /^Dependent package not found on-chain: 0x(ab)+$/,
    ],
    ['a low price', (tx) => tx.setGasPrice(999), /^Gas price 999 under reference gas price/],
    ['a high budget', (tx) => tx.setGasBudget(50_000_000_001), /is higher than max: 50000000000$/],
    [
      'a budget above the balance',
      (tx) => tx.setGasBudget(20_000_000_000),
      /^Balance of gas object 10000000000 is lower than the needed amount: 20000000000$/,
    ],
  ])('answers a fault of the inputs with code 13: %s', async (_title, fill, words) => {
    const { code, message, details } = await refusal(fill);
    expect([code, details]).toEqual([status.INTERNAL, []]);
    expect(message.startsWith(FAILED)).toBe(true);
    expect(message.slice(FAILED.length)).toMatch(words);
  });

  it('accepts a used coin in its old version, and an expired transaction', async () => {
    const old = await buildPaid(own.devnet, sender, (tx) => tx.setExpiration({ Epoch: 99 }));
    const { signature } = await sender.signTransaction(old);
    await own.devnet.client.executeTransactionBlock({ transactionBlock: old, signature });
    await simulate(old);
    const expired = await buildPaid(own.devnet, sender, (tx) => tx.setExpiration({ Epoch: 0 }));
    await own.devnet.control('POST', '/epoch');
    await simulate(expired);
  });

  it('answers each transaction of a batch, and reads bytes as a submission does', async () => {
    const good = await buildPaid(own.devnet, sender);
    const results = await simulateAll([Buffer.from('garbage'), good]);
    expect(results).toMatchObject([
      {
        case: 'error',
        value: {
          code: status.INVALID_ARGUMENT,
          message:
            'invalid transaction BCS: invalid value: integer `103`, expected variant index 0 <= i < 1',
        },
      },
      { case: 'simulatedTransaction' },
    ]);
    await expect(simulateAll([])).rejects.toMatchObject({
      details: 'transactions list must not be empty',
    });
  });

  it('shows the changes of newer nodes to newer nodes only', async () => {
    const bytes = await buildPaid(own.devnet, sender);
    const paths = ['executed_transaction.object_changes', 'executed_transaction.balance_changes'];
    await expect(simulate(bytes, {}, paths)).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: `invalid read_mask path: ${paths[0]}`,
    });
    await own.devnet.control('POST', '/node', { version: '2026' });
    const { executedTransaction } = await simulate(bytes, {}, paths);
    expect(executedTransaction!.objectChanges!.objectChanges).toHaveLength(1);
  });
});
