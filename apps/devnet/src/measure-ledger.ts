import type { Metrics } from '@forecourt/runtime/metrics';
import type { Engine } from './engine/engine.js';

/** Shows where the ledger stands. */
export function measureLedger(metrics: Metrics, engine: Engine): void {
  const executed = metrics.counter({
    name: 'devnet_transactions_total',
    help: 'Transactions that the ledger has executed since the process began.',
  });
  engine.onExecuted(() => executed.add({}));
  metrics.figures({
    name: 'devnet_checkpoint',
    help: 'Number of the newest checkpoint.',
    read: () => [[{}, engine.latestCheckpoint.sequenceNumber]],
  });
}
