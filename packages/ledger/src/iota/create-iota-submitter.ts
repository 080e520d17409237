import type { LedgerSubmitter } from '../ledger-submitter.js';
import type { NodeClient } from './nodes/create-node-client.js';
import type { StatusCache } from './nodes/status-cache.js';
import { dryRunTransaction } from './transactions/dry-run-transaction.js';
import { submitTransaction } from './transactions/submit-transaction.js';

/** Submissions and dry runs over JSON-RPC. `status` is told the epochs in which transactions are executed. */
export function createIotaSubmitter(
  client: NodeClient,
  status: Pick<StatusCache, 'noteEpoch'>,
): LedgerSubmitter {
  return {
    // At the node that gets the transaction: it is the first to know the sponsor's coins at their latest versions.
    dryRun: (transaction) => dryRunTransaction(client, transaction),
    async submit(bytes, userAndSponsor) {
      const submission = await submitTransaction(client, bytes, userAndSponsor);
      if (submission.kind === 'executed') {
        status.noteEpoch(BigInt(submission.effects.executedEpoch));
      }
      return submission;
    },
  };
}
