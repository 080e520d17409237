import { ConnectionDropped } from '@forecourt/json-rpc';
import { invalidParams, JsonRpcCode, JsonRpcError } from '@forecourt/contracts';
import { TransactionDataBuilder } from '@iota/iota-sdk/transactions';
import { EngineError } from '../../engine/engine-error.js';
import type {
  AcceptedTransaction,
  EngineInterface,
  ExecutedTransaction,
} from '../../engine/engine-interface.js';
import type { Fault } from '../../faults/fault.js';
import { makeFalseAnswer, makeRefusal } from '../../faults/refusals.js';
import type { RpcMethod } from '../rpc-method.js';
import type { NodeDependencies } from '../call-context.js';
import { optional, readBytes, readList, readText } from '../../json-rpc/read-params.js';
import { readTransactionOptions, showTransaction } from './show-transaction.js';

const EXECUTE = 'iota_executeTransactionBlock';

/**
 * A fault's answer in place of executing an accepted transaction; null when no fault applies. The transaction
 * holds its locks, and executes later unless the fault says never.
 */
function answerBeforeExecution(
  { engine, faults }: Pick<NodeDependencies, 'engine' | 'faults'>,
  accepted: AcceptedTransaction,
  params: unknown,
): Error | null {
  const late = faults.take(
    'transient',
    EXECUTE,
    ({ when }) => when === 'later' || when === 'never',
  );
  if (late !== null) {
    if (late.when === 'later') landAfter(engine, accepted, late.afterMs);
    return new JsonRpcError(JsonRpcCode.transient, late.message);
  }
  const meanwhile = faults.take('refuseMeanwhile', EXECUTE);
  if (meanwhile === null) return null;
  const { digest } = accepted;
  faults.lateLandings.begin(digest, meanwhile.refusal);
  landAfter(engine, accepted, meanwhile.afterMs, () => faults.lateLandings.end(digest));
  return firstAnswer(meanwhile, params);
}

function firstAnswer(
  { first }: Extract<Fault, { kind: 'refuseMeanwhile' }>,
  params: unknown,
): Error {
  return first === 'dropped' ? new ConnectionDropped() : makeFalseAnswer(first, params);
}

/** A transaction whose locks have been released meanwhile may no longer be executable. */
function landAfter(
  engine: EngineInterface,
  accepted: AcceptedTransaction,
  afterMs: number,
  then: () => void = () => undefined,
): void {
  setTimeout(() => {
    try {
      engine.execute(accepted);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
    } finally {
      then();
    }
  }, afterMs).unref();
}

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
    const parts = readTransactionOptions(options);
    const waits = readRequestType(requestType) ?? (parts.showEffects || parts.showEvents);
    const { transaction, isRepeated } = await submit(node, bytes, params, signed);
    // The node knows the read and written objects only for a transaction that it executes.
    const available = isRepeated
      ? { ...parts, showObjectChanges: false, showBalanceChanges: false }
      : parts;
    const isShown =
      waits && (await node.fullNode.untilShown(transaction.sequence, LOCAL_EXECUTION_MS));
    return {
      ...showTransaction(engine, transaction, available),
      confirmedLocalExecution: isShown && node.faults.peek('lag') === null,
    };
  },
};

/** Submits a transaction of either dialect; the faults of submissions apply to it. */
export async function submit(
  node: Pick<NodeDependencies, 'engine' | 'counters' | 'faults'>,
  bytes: Uint8Array,
  params: readonly unknown[],
  signatures: readonly string[],
): Promise<{ readonly transaction: ExecutedTransaction; readonly isRepeated: boolean }> {
  const { engine, counters, faults } = node;
  const digest = TransactionDataBuilder.getDigestFromBytes(bytes);
  counters.countSubmission(digest);
  const refusal = faults.lateLandings.refusalOf(digest);
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
