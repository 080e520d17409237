import type { LedgerSubmitter } from '../ledger-submitter.js';
import type { NodeClient } from './nodes/ledger-nodes.js';
import type { StatusCache } from './nodes/ledger-status.js';
import { dryRunTransaction } from './transactions/dry-run-transaction.js';
import { submitTransaction } from './transactions/submit-transaction.js';

/**
 * Submissions and dry runs. Reports to `status` the epochs in which transactions were
 * executed.
 */
export function createIotaSubmitter(
  client: NodeClient,
  status: Pick<StatusCache, 'noteEpoch' | 'read'>,
): LedgerSubmitter {
  return {
    // Asks the node that receives the transaction: it is the first to know the latest versions of
    // the sponsor's coins.
    dryRun: (transaction) => dryRunTransaction(client, transaction),
    async submit(bytes, userAndSponsor) {
      const readEpoch = () => status.read(0);
      const submission = await submitTransaction(client, bytes, userAndSponsor, readEpoch);
      if (submission.kind === 'executed') {
        status.noteEpoch(BigInt(submission.effects.executedEpoch));
      }
      return submission;
    },
  };
}
