import { TransactionDataBuilder } from '@iota/iota-sdk/transactions';
import { invalidParams } from '@forecourt/json-rpc';
import { optional, readBytes, readList, readText } from '../../json-rpc/read-params.js';
import type { ExecutedTransaction } from '../../engine/engine-interface.js';
import { makeRefusal } from '../../faults/make-refusal.js';
import type { NodeDependencies } from '../call-context.js';
import type { RpcMethod } from '../rpc-method.js';
import { answerBeforeExecution } from './answer-before-execution.js';
import { readTransactionOptions } from './read-transaction-options.js';
import { showTransaction } from './show-transaction.js';

const NAME = 'iota_executeTransactionBlock';
const MAX_SIGNATURES = 16;
/** Longest wait of the node for its own execution of the validators' decision. */
const LOCAL_EXECUTION_MS = 10_000;

export const executeTransactionBlock: RpcMethod = {
  name: NAME,
  params: ['tx_bytes', 'signatures', 'options', 'request_type'],
  summary: 'Executes a signed transaction and returns what the options select.',
  async run({ engine, node }, params) {
    const [txBytes, signatures, options, requestType] = params;
    const bytes = readBytes(txBytes, 'tx_bytes');
    const signed = readList(signatures, 'signatures', MAX_SIGNATURES, readText);
    const shown = readTransactionOptions(options);
    const waits = readRequestType(requestType) ?? (shown.showEffects || shown.showEvents);
    const { transaction, isRepeated } = await submit(node, bytes, params, signed);
    // The node knows the read and written objects only for a transaction that it executes.
    const available = isRepeated
      ? { ...shown, showObjectChanges: false, showBalanceChanges: false }
      : shown;
    const isShown =
      waits && (await node.fullNode.untilShown(transaction.sequence, LOCAL_EXECUTION_MS));
    return {
      ...showTransaction(engine, transaction, available),
      confirmedLocalExecution: isShown && node.faults.peek('lag') === null,
    };
  },
};

async function submit(
  node: NodeDependencies,
  bytes: Uint8Array,
  params: readonly unknown[],
  signatures: readonly string[],
): Promise<{ readonly transaction: ExecutedTransaction; readonly isRepeated: boolean }> {
  const { engine, counters, faults, lateLandings } = node;
  const digest = TransactionDataBuilder.getDigestFromBytes(bytes);
  counters.countSubmission(digest);
  const refusal = lateLandings.refusalOf(digest);
  if (refusal !== null) throw makeRefusal(refusal, params);
  const splitMs = faults.take('split', NAME)?.ms ?? 0;
  const acceptance = await engine.accept(bytes, signatures, splitMs);
  if (acceptance.kind === 'executed') {
    return { transaction: acceptance.transaction, isRepeated: true };
  }
  const { accepted } = acceptance;
  const early = answerBeforeExecution(node, accepted, params);
  if (early !== null) throw early;
  return { transaction: engine.execute(accepted), isRepeated: false };
}

/** Whether the caller waits for local execution; null when the call does not say. */
function readRequestType(value: unknown): boolean | null {
  const type = optional(value, 'request_type', readText);
  if (type === null) return null;
  if (type === 'WaitForLocalExecution') return true;
  if (type === 'WaitForEffectsCert') return false;
  throw invalidParams(
    `Invalid params: request_type: expected WaitForEffectsCert or WaitForLocalExecution, got ${type}`,
  );
}
