import { previousEventId, writeCursor } from '@forecourt/contracts';
import { UnsupportedByUpstream } from './unsupported-by-upstream.js';

/** Error texts of nodes may contain whole stack traces. */
const MAX_REASON = 300;

/** The node cannot show a transaction, or omits the parts from which its events are derived. */
export class TransactionInconvertible extends UnsupportedByUpstream {
  /** `digest` is in base58. `txSeq` is null if the node does not even report where the transaction is. */
  constructor(
    readonly digest: string,
    readonly txSeq: number | null,
    reason: string,
  ) {
    const why = `cannot be converted to events: ${reason.slice(0, MAX_REASON)}`;
    if (txSeq === null) {
      super('inconvertible', `Transaction ${digest} ${why}`, { transaction: digest });
      return;
    }
    const newerCursor = writeCursor({ txSeq: txSeq + 1, eventSeq: 0 });
    const older = previousEventId({ txSeq, eventSeq: 0 });
    const olderCursor = older && writeCursor(older);
    super(
      'inconvertible',
      `Transaction ${digest} (txSeq ${txSeq}) ${why}; events after it begin at cursor ${newerCursor}`,
      { transaction: digest, txSeq, newerCursor, olderCursor },
    );
  }
}
