import type { EngineInterface } from '../engine/engine-interface.js';
import type { FaultBoard } from '../faults/fault-board.js';
import { LaggingView } from './lagging-view.js';
import type { LedgerView } from './ledger-view.js';

/** The state that a call of `method` sees: the current one, unless a `lag` fault hides the newest transactions. */
export function chooseView(
  engine: EngineInterface,
  faults: FaultBoard,
  method: string,
): LedgerView {
  const lag = faults.take('lag', method);
  if (lag === null) return engine;
  if (lag.checkpoints !== undefined) {
    const last = engine.latestCheckpoint.sequenceNumber - lag.checkpoints;
    return new LaggingView(engine, ({ checkpoint }) => checkpoint === null || checkpoint > last);
  }
  const horizon = Date.now() - (lag.ms ?? 0);
  return new LaggingView(engine, ({ timestampMs }) => timestampMs > horizon);
}
