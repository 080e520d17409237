import { ConnectionDropped, JsonRpcCode, JsonRpcError } from '@forecourt/json-rpc';
import { EngineError } from '../../engine/engine-error.js';
import type { AcceptedTransaction, EngineInterface } from '../../engine/engine-interface.js';
import type { Fault } from '../../faults/fault.js';
import { makeFalseAnswer } from '../../faults/make-refusal.js';
import type { NodeDependencies } from '../call-context.js';

const EXECUTE = 'iota_executeTransactionBlock';

/**
 * A fault's answer in place of executing an accepted transaction; null when no fault applies. The transaction holds
 * its locks, and executes later unless the fault says never.
 */
export function answerBeforeExecution(
  { engine, faults, lateLandings }: NodeDependencies,
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
  lateLandings.begin(digest, meanwhile.refusal);
  landAfter(engine, accepted, meanwhile.afterMs, () => lateLandings.end(digest));
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
