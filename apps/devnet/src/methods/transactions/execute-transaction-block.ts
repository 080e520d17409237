import { TransactionDataBuilder } from '@iota/iota-sdk/transactions';
import { JsonRpcCode, JsonRpcError, invalidParams } from '@forecourt/json-rpc';
import { optional, readBytes, readList, readText } from '../../json-rpc/read-params.js';
import { EngineError } from '../../engine/engine-error.js';
import type {
  AcceptedTransaction,
  EngineInterface,
  ExecutedTransaction,
} from '../../engine/engine-interface.js';
import type { NodeDependencies } from '../call-context.js';
import type { RpcMethod } from '../rpc-method.js';
import { readTransactionOptions } from './read-transaction-options.js';
import { showTransaction } from './show-transaction.js';

const NAME = 'iota_executeTransactionBlock';
const MAX_SIGNATURES = 16;
/** How long the node waits until it has executed what the validators decided. */
const LOCAL_EXECUTION_MS = 10_000;

export const executeTransactionBlock: RpcMethod = {
  name: NAME,
  params: ['tx_bytes', 'signatures', 'options', 'request_type'],
  summary: 'Executes a signed transaction and returns what the options select.',
  async run({ engine, node }, [txBytes, signatures, options, requestType]) {
    const bytes = readBytes(txBytes, 'tx_bytes');
    const signed = readList(signatures, 'signatures', MAX_SIGNATURES, readText);
    const shown = readTransactionOptions(options);
    const waits = readRequestType(requestType) ?? (shown.showEffects || shown.showEvents);
    const transaction = await submit(node, bytes, signed);
    const isShown =
      waits && (await node.fullNode.untilShown(transaction.sequence, LOCAL_EXECUTION_MS));
    return {
      ...showTransaction(engine, transaction, shown),
      confirmedLocalExecution: isShown && node.faults.peek('lag') === null,
    };
  },
};

async function submit(
  node: NodeDependencies,
  bytes: Uint8Array,
  signatures: readonly string[],
): Promise<ExecutedTransaction> {
  const { engine, counters, faults } = node;
  const splitMs = faults.take('split', NAME)?.ms ?? 0;
  const acceptance = await engine.accept(bytes, signatures, splitMs).catch((error: unknown) => {
    counters.countSubmission(TransactionDataBuilder.getDigestFromBytes(bytes));
    throw error;
  });
  const { digest } = acceptance.kind === 'executed' ? acceptance.transaction : acceptance.accepted;
  counters.countSubmission(digest);
  if (acceptance.kind === 'executed') return acceptance.transaction;
  const { accepted } = acceptance;
  const late = faults.take('transient', NAME, ({ when }) => when === 'later' || when === 'never');
  if (late === null) return engine.execute(accepted);
  if (late.when === 'later') setTimeout(() => land(engine, accepted), late.afterMs).unref();
  throw new JsonRpcError(JsonRpcCode.transient, late.message);
}

/** Nobody waits for the result: a transaction that an epoch change has made impossible never lands. */
function land(engine: EngineInterface, accepted: AcceptedTransaction): void {
  try {
    engine.execute(accepted);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
  }
}

/** Whether the caller waits for local execution; null when it does not say. */
function readRequestType(value: unknown): boolean | null {
  const type = optional(value, 'request_type', readText);
  if (type === null) return null;
  if (type === 'WaitForLocalExecution') return true;
  if (type === 'WaitForEffectsCert') return false;
  throw invalidParams(
    `Invalid params: request_type: expected WaitForEffectsCert or WaitForLocalExecution, got ${type}`,
  );
}
