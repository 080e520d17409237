import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { ConnectionDropped } from '@forecourt/json-rpc';
import { JsonRpcCode, JsonRpcError } from '@forecourt/contracts';
import {
  type SimulateTransactionItem,
  SimulateTransactionItem_TransactionCheckModes as Checks,
  type SimulateTransactionResultSchema,
  type SimulateTransactionsRequest,
  SimulatedTransactionSchema,
} from '@forecourt/ledger/node-messages';
import { bcs } from '@iota/iota-sdk/bcs';
import { toBase64 } from '@iota/iota-sdk/utils';
import { explainFailure } from '../engine/describe-effects.js';
import type { SimulatedExecution } from '../engine/engine-interface.js';
import { MAX_GAS_BUDGET } from '../engine/gas-schedule.js';
import { decodeTransaction } from '../engine/transaction-data.js';
import { encodeSimulated } from './encode-transaction.js';
import { statusOfSimulation } from './present-status.js';
import { readTransaction } from './read-submission.js';
import { ReadMask } from './read-mask.js';
import { EQUIVALENTS, type ServedNode } from './served-node.js';

type Result = MessageInitShape<typeof SimulateTransactionResultSchema>;
type ShownResult = MessageInitShape<typeof SimulatedTransactionSchema>['executionResult'];

/** One after the other; an item that fails does not affect the others. */
export async function simulateTransactions(
  node: ServedNode,
  { transactions, readMask }: SimulateTransactionsRequest,
): Promise<Result[]> {
  const { profiles } = node;
  const usual = [
    'executed_transaction.transaction',
    'executed_transaction.effects',
    'executed_transaction.events',
    'executed_transaction.input_objects',
    'executed_transaction.output_objects',
    'suggested_gas_price',
    'execution_result',
  ];
  const mask = ReadMask.read(readMask, usual, SimulatedTransactionSchema, profiles.current);
  const results: Result[] = [];
  for (const item of transactions) results.push(await resultOf(node, item, mask));
  return results;
}

/** A lost connection and a rate limit concern the whole call. */
async function resultOf(
  node: ServedNode,
  item: SimulateTransactionItem,
  mask: ReadMask,
): Promise<Result> {
  try {
    return { result: { case: 'simulatedTransaction', value: await simulate(node, item, mask) } };
  } catch (error) {
    const isLimit = error instanceof JsonRpcError && error.code === JsonRpcCode.tooManyRequests;
    if (isLimit || error instanceof ConnectionDropped) throw error;
    const value = statusOfSimulation(error, node.profiles.current);
    return { result: { case: 'error', value } };
  }
}

async function simulate(
  node: ServedNode,
  { transaction, txChecks }: SimulateTransactionItem,
  mask: ReadMask,
) {
  const request = readTransaction(transaction);
  const { data } = decodeTransaction(request);
  const learnsCosts = txChecks.includes(Checks.DISABLE_VM_CHECKS) && data.gasData.budget === '0';
  const bytes = learnsCosts ? withBudget(request, MAX_GAS_BUDGET) : request;
  const { fullNode, faultyCalls } = node;
  const name = EQUIVALENTS.SimulateTransactions;
  const run = async () => fullNode.dryRunWithCoin(bytes);
  const record = await faultyCalls.run(name, [toBase64(bytes)], run);
  const { computationCost, storageCost } = record.effects.gasUsed;
  const shownBytes = learnsCosts ? withBudget(request, computationCost + storageCost) : request;
  const result = create(SimulatedTransactionSchema, {
    ...(mask.asks('executed_transaction') && {
      executedTransaction: encodeSimulated(
        node,
        record,
        mask.under('executed_transaction'),
        shownBytes,
      ),
    }),
    suggestedGasPrice: fullNode.systemState().referenceGasPrice,
    executionResult: executionResultOf(record),
  });
  return mask.applyTo(SimulatedTransactionSchema, result);
}

/**
 * Without checks, a budget of 0 stands for the largest one; the node answers with what the transaction costs.
 */
function withBudget(bytes: Uint8Array, budget: bigint): Uint8Array {
  const { data } = decodeTransaction(bytes);
  const gasData = { ...data.gasData, budget };
  return bcs.TransactionData.serialize({ V1: { ...data, gasData } }).toBytes();
}

/** Devnet returns no values. */
function executionResultOf({ data, effects }: SimulatedExecution): ShownResult {
  const { status: outcome } = effects;
  if (outcome.status === 'success') {
    const commands = data.kind.ProgrammableTransaction?.commands ?? [];
    const results = commands.map(() => ({ mutatedByRef: {}, returnValues: {} }));
    return { case: 'commandResults', value: { results } };
  }
  const command = /in command (\d+)/.exec(outcome.error)?.[1];
  return {
    case: 'executionError',
    value: {
      source: explainFailure(outcome),
      ...(command !== undefined && { commandIndex: BigInt(command) }),
    },
  };
}
