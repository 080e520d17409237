import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { ConnectionDropped, JsonRpcCode, JsonRpcError } from '@forecourt/json-rpc';
import {
  type ExecuteTransactionItem,
  type ExecuteTransactionResultSchema,
  type ExecuteTransactionsRequest,
  ExecuteTransactionsResponseSchema,
  ExecutedTransactionSchema,
  type SimulateTransactionItem,
  type SimulateTransactionResultSchema,
  type SimulateTransactionsRequest,
  SimulateTransactionsResponseSchema,
  SimulatedTransactionSchema,
  type Transaction,
} from '@forecourt/node-messages';
import { status, type UntypedServiceImplementation } from '@grpc/grpc-js';
import { bcs } from '@iota/iota-sdk/bcs';
import { TransactionDataBuilder } from '@iota/iota-sdk/transactions';
import { fromBase58, toBase64 } from '@iota/iota-sdk/utils';
import { explainFailure } from '../engine/describe-effects.js';
import type { ExecutedTransaction, ExecutionRecord } from '../engine/engine-interface.js';
import { decodeTransaction } from '../engine/transaction-data.js';
import { MAX_GAS_BUDGET } from '../engine/gas-schedule.js';
import { submit } from '../methods/transactions/execute-transaction-block.js';
import { encodeSimulated, encodeTransaction } from './encode-transaction.js';
import type { GrpcCalls } from './grpc-calls.js';
import { EQUIVALENTS, type ServedNode } from './served-node.js';
import { failure, invalidField, statusOf } from './grpc-status.js';
import { ReadMask } from './read-mask.js';

const MAX_BATCH = 20;
const MAX_INCLUSION_MS = 60_000;
/** The least length of a signature: a scheme, 64 bytes and a key. */
const LEAST_SIGNATURE = 97;

type Executed = MessageInitShape<typeof ExecuteTransactionResultSchema>;
type Simulated = MessageInitShape<typeof SimulateTransactionResultSchema>;

/** The methods of `TransactionExecutionService`. */
export function executionService(calls: GrpcCalls, node: ServedNode): UntypedServiceImplementation {
  return {
    ExecuteTransactions: calls.unary(
      EQUIVALENTS.ExecuteTransactions,
      ExecuteTransactionsResponseSchema,
      async (request: ExecuteTransactionsRequest) => {
        checkBatch(request.transactions);
        const usual = [
          'transaction.digest',
          'effects',
          'events',
          'input_objects',
          'output_objects',
        ];
        const mask = ReadMask.read(request.readMask, usual, ExecutedTransactionSchema);
        const timeoutMs = Number(request.checkpointInclusionTimeoutMs ?? 0n);
        const waitMs = Math.min(timeoutMs, MAX_INCLUSION_MS);
        const transactionResults = await Promise.all(
          request.transactions.map((item) =>
            resultOf<Executed>(node, async () => {
              const value = await execute(node, item, mask, waitMs);
              return { result: { case: 'executedTransaction', value } };
            }),
          ),
        );
        return { transactionResults };
      },
    ),
    SimulateTransactions: calls.unary(
      EQUIVALENTS.SimulateTransactions,
      SimulateTransactionsResponseSchema,
      async (request: SimulateTransactionsRequest) => {
        checkBatch(request.transactions);
        const usual = ['executed_transaction', 'suggested_gas_price', 'execution_result'];
        const mask = ReadMask.read(request.readMask, usual, SimulatedTransactionSchema);
        const transactionResults = await Promise.all(
          request.transactions.map((item) =>
            resultOf<Simulated>(node, () => simulate(node, item, mask)),
          ),
        );
        return { transactionResults };
      },
    ),
  };
}

function checkBatch(items: readonly unknown[]): void {
  if (items.length === 0) {
    throw failure(status.INVALID_ARGUMENT, 'transactions list must not be empty');
  }
  if (items.length > MAX_BATCH) {
    const text = `batch size ${items.length} exceeds maximum allowed (${MAX_BATCH})`;
    throw failure(status.INVALID_ARGUMENT, text);
  }
}

/** An item that fails does not affect the others; a lost connection and a rate limit concern the whole call. */
async function resultOf<T>(
  { profiles }: ServedNode,
  run: () => Promise<T>,
): Promise<T | { result: { case: 'error'; value: ReturnType<typeof statusOf> } }> {
  try {
    return await run();
  } catch (error) {
    const isLimit = error instanceof JsonRpcError && error.code === JsonRpcCode.tooManyRequests;
    if (isLimit || error instanceof ConnectionDropped) throw error;
    return { result: { case: 'error', value: statusOf(error, profiles.current) } };
  }
}

async function execute(
  node: ServedNode,
  { transaction, signatures }: ExecuteTransactionItem,
  mask: ReadMask,
  waitMs: number,
) {
  const bytes = readTransaction(transaction);
  if (!signatures) throw invalidField('signatures');
  const signed = signatures.signatures.map(({ bcs: signature }, index) => {
    if (!signature) throw invalidField(`signatures[${index}]`);
    return toBase64(withoutLength(signature.data));
  });
  const params = [toBase64(bytes), signed];
  const { engine, faultyCalls } = node;
  const { faults, counters } = faultyCalls;
  const executed = await node.faultyCalls.run(EQUIVALENTS.ExecuteTransactions, params, async () => {
    const { transaction: found } = await submit(
      { engine, faults, counters },
      bytes,
      params,
      signed,
    );
    return found;
  });
  // A fault that lets reads lag hides the checkpoint as well.
  const isHidden = waitMs === 0 || faults.peek('lag') !== null;
  if (isHidden) return encodeTransaction(node.engine, withoutCheckpoint(executed), mask);
  const shown = await untilIncluded(node, executed, waitMs);
  return encodeTransaction(node.engine, shown, mask);
}

function readTransaction(transaction: Transaction | undefined): Uint8Array {
  if (!transaction) throw invalidField('transaction');
  const bytes = transaction.bcs?.data;
  if (!bytes) throw invalidField('transaction.bcs');
  const { digest } = transaction;
  if (digest && !isDigestOf(digest.digest, bytes)) {
    throw invalidField('transaction.digest', 'provided digest does not match computed digest');
  }
  return bytes;
}

function isDigestOf(digest: Uint8Array, bytes: Uint8Array): boolean {
  const computed = fromBase58(TransactionDataBuilder.getDigestFromBytes(bytes));
  return Buffer.compare(digest, computed) === 0;
}

/** Nodes take signatures with their length in front and without it. The first byte of a signature is a small number. */
function withoutLength(bytes: Uint8Array): Uint8Array {
  let length = 0;
  let at = 0;
  do length |= (bytes[at]! & 0x7f) << (7 * at);
  while (bytes[at++]! & 0x80 && at < 4);
  const isLength = length >= LEAST_SIGNATURE && length === bytes.length - at;
  return isLength ? bytes.subarray(at) : bytes;
}

/** A node that does not wait for the checkpoint does not know it. */
function withoutCheckpoint(executed: ExecutedTransaction): ExecutedTransaction {
  return Object.create(executed, { checkpoint: { value: null } }) as ExecutedTransaction;
}

/** The transaction with its checkpoint, or without where the node does not show one in time. */
async function untilIncluded(
  { engine, fullNode }: ServedNode,
  executed: ExecutedTransaction,
  waitMs: number,
): Promise<ExecutedTransaction> {
  const isIncluded = () => {
    const { checkpoint } = engine.getTransaction(executed.digest) ?? executed;
    return checkpoint !== null && checkpoint <= fullNode.latestCheckpoint.sequenceNumber;
  };
  if (!isIncluded()) {
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        fullNode.changes.off('checkpoint', look);
        resolve();
      };
      const look = () => void (isIncluded() && end());
      const timer = setTimeout(end, waitMs).unref();
      fullNode.changes.on('checkpoint', look);
    });
  }
  return isIncluded() ? executed : withoutCheckpoint(executed);
}

async function simulate(
  node: ServedNode,
  { transaction, txChecks }: SimulateTransactionItem,
  mask: ReadMask,
): Promise<Simulated> {
  const given = readTransaction(transaction);
  const bytes = txChecks.length > 0 ? withAmpleGas(given) : given;
  const record = await node.faultyCalls.run(
    EQUIVALENTS.SimulateTransactions,
    [toBase64(bytes)],
    async () => node.fullNode.dryRun(bytes),
  );
  const shown = create(SimulatedTransactionSchema, {
    ...(mask.asks('executed_transaction') && {
      executedTransaction: encodeSimulated(node.engine, record, mask.under('executed_transaction')),
    }),
    suggestedGasPrice: node.fullNode.systemState().referenceGasPrice,
    executionResult: executionResultOf(record),
  });
  const value = mask.applyTo(SimulatedTransactionSchema, shown);
  return { result: { case: 'simulatedTransaction', value } };
}

/**
 * Without checks, a budget of 0 stands for the largest one, which callers use to learn the costs; the coins that they
 * name need not cover it. Throws `EngineError` for bytes that are no transaction.
 */
function withAmpleGas(bytes: Uint8Array): Uint8Array {
  const { data } = decodeTransaction(bytes);
  if (data.gasData.budget !== '0') return bytes;
  const gasData = { ...data.gasData, payment: [], budget: MAX_GAS_BUDGET };
  return bcs.TransactionData.serialize({ V1: { ...data, gasData } }).toBytes();
}

/** The values that commands return are not shown. */
function executionResultOf({
  data,
  effects,
}: ExecutionRecord): MessageInitShape<typeof SimulatedTransactionSchema>['executionResult'] {
  const { status: outcome } = effects;
  if (outcome.status === 'success') {
    const commands = data.kind.ProgrammableTransaction?.commands ?? [];
    return { case: 'commandResults', value: { results: commands.map(() => ({})) } };
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
