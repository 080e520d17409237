import type { Metrics } from '@forecourt/runtime/metrics';
import type { Engine } from './engine/engine.js';

/** Exports the ledger's progress. */
export function measureLedger(metrics: Metrics, engine: Engine): void {
  const executed = metrics.counter({
    name: 'devnet_transactions_total',
    help: 'Transactions executed since the process started.',
  });
  engine.changes.on('executed', () => executed.add({}));
  metrics.figures({
    name: 'devnet_checkpoint',
    help: 'Number of the newest checkpoint.',
    read: () => [[{}, engine.latestCheckpoint.sequenceNumber]],
  });
}
