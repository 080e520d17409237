import type { MessageInitShape } from '@bufbuild/protobuf';
import { ConnectionDropped } from '@forecourt/json-rpc';
import { JsonRpcCode, JsonRpcError } from '@forecourt/contracts';
import {
  type ExecuteTransactionItem,
  type ExecuteTransactionResultSchema,
  type ExecuteTransactionsRequest,
  ExecutedTransactionSchema,
  type Status,
  TransactionExecutionService,
} from '@forecourt/ledger/node-messages';
import { toBase64 } from '@iota/iota-sdk/utils';
import type { ExecutedTransaction } from '../engine/engine-interface.js';
import { submit } from '../methods/transactions/execute-transaction-block.js';
import { encodeTransaction } from './encode-transaction.js';
import type { Handlers } from './grpc-calls.js';
import { GrpcCode } from './grpc-codes.js';
import { failure } from './grpc-status.js';
import { inclusionMs, type Submitted, untilIncluded } from './inclusion.js';
import { statusOf } from './present-status.js';
import { readSignatures, readTransaction } from './read-submission.js';
import { ReadMask } from './read-mask.js';
import { EQUIVALENTS, type ServedNode } from './served-node.js';
import { simulateTransactions } from './simulate-batch.js';

const MAX_BATCH = 20;

type Result = MessageInitShape<typeof ExecuteTransactionResultSchema>;

/** The methods of `TransactionExecutionService`. */
export function executionService(node: ServedNode): Handlers<typeof TransactionExecutionService> {
  return {
    executeTransactions: {
      name: () => EQUIVALENTS.ExecuteTransactions,
      answer: async (request, cancelled) => {
        checkBatch(request.transactions);
        return { transactionResults: await executeAll(node, request, cancelled) };
      },
    },
    simulateTransactions: {
      name: () => EQUIVALENTS.SimulateTransactions,
      answer: async (request) => {
        checkBatch(request.transactions);
        return { transactionResults: await simulateTransactions(node, request) };
      },
    },
  };
}

function checkBatch(items: readonly unknown[]): void {
  if (items.length === 0) {
    throw failure(GrpcCode.invalidArgument, 'transactions list must not be empty');
  }
  if (items.length > MAX_BATCH) {
    const text = `batch size ${items.length} exceeds maximum allowed (${MAX_BATCH})`;
    throw failure(GrpcCode.invalidArgument, text);
  }
}

/** One after the other. What has begun when the caller goes away lands; what has not never begins. */
async function executeAll(
  node: ServedNode,
  { transactions, readMask, checkpointInclusionTimeoutMs }: ExecuteTransactionsRequest,
  cancelled: AbortSignal,
): Promise<Result[]> {
  const usual = ['transaction.digest', 'effects', 'events', 'input_objects', 'output_objects'];
  const { current } = node.profiles;
  const mask = ReadMask.read(readMask, usual, ExecutedTransactionSchema, current);
  const outcomes: (Submitted | Status)[] = [];
  for (const item of transactions) {
    if (outcomes.length > 0 && cancelled.aborted) break;
    outcomes.push(await outcomeOf(node, item));
  }
  const submitted = outcomes.filter((outcome) => 'transaction' in outcome);
  const waitMs = inclusionMs(checkpointInclusionTimeoutMs);
  const isIncluded = await untilIncluded(node, submitted, waitMs, cancelled);
  return outcomes.map((outcome) => {
    if (!('transaction' in outcome)) return { result: { case: 'error', value: outcome } };
    const { transaction, isRepeated } = outcome;
    const answer = isIncluded(transaction) ? transaction : withoutCheckpoint(transaction);
    // The node knows the objects only of a transaction that it executes.
    const value = encodeTransaction(node, answer, mask, { hasObjects: !isRepeated });
    return { result: { case: 'executedTransaction', value } };
  });
}

/**
 * An item that fails does not affect the others; a lost connection and a rate limit concern the whole call.
 */
async function outcomeOf(
  node: ServedNode,
  item: ExecuteTransactionItem,
): Promise<Submitted | Status> {
  try {
    return await execute(node, item);
  } catch (error) {
    const isLimit = error instanceof JsonRpcError && error.code === JsonRpcCode.tooManyRequests;
    if (isLimit || error instanceof ConnectionDropped) throw error;
    return statusOf(error, node.profiles.current);
  }
}

function execute(node: ServedNode, item: ExecuteTransactionItem): Promise<Submitted> {
  const { engine, faultyCalls } = node;
  const { faults, counters } = faultyCalls;
  const bytes = readTransaction(item.transaction);
  const signatures = readSignatures(item);
  const params = [toBase64(bytes), signatures];
  return faultyCalls.run(EQUIVALENTS.ExecuteTransactions, params, () =>
    submit({ engine, faults, counters }, bytes, params, signatures),
  );
}

/** As a node shows it that does not know the checkpoint. */
function withoutCheckpoint(executed: ExecutedTransaction): ExecutedTransaction {
  return Object.create(executed, { checkpoint: { value: null } }) as ExecutedTransaction;
}
