import type { FullNode } from '../engine/full-node.js';
import type { FaultBoard } from '../faults/fault-board.js';
import { LaggingView } from './lagging-view.js';
import type { LedgerView } from './ledger-view.js';

/** The state that a call of `method` sees: the node's own, of which a `lag` fault hides the newest transactions. */
export function chooseView(fullNode: FullNode, faults: FaultBoard, method: string): LedgerView {
  const lag = faults.take('lag', method);
  if (lag === null) return fullNode;
  if (lag.checkpoints !== undefined) {
    const last = fullNode.latestCheckpoint.sequenceNumber - lag.checkpoints;
    return new LaggingView(fullNode, ({ checkpoint }) => checkpoint === null || checkpoint > last);
  }
  const horizon = Date.now() - (lag.ms ?? 0);
  return new LaggingView(fullNode, ({ timestampMs }) => timestampMs > horizon);
}
