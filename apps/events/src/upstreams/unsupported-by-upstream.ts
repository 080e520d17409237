import { UpstreamFailed } from './upstream-failed.js';

/**
 * A node responds, but does not have, or cannot show, part of the ledger. Another node may; this one stays in
 * use for all other data. `unanswerable`: it has no index for the criterion, so that it cannot answer it, or
 * not in time.
 */
export class UnsupportedByUpstream extends UpstreamFailed {
  constructor(
    readonly kind: 'pruned' | 'inconvertible' | 'gap' | 'unanswerable',
    message: string,
    /** For clients: where to continue, or which data is missing. */
    readonly data: Readonly<Record<string, unknown>>,
  ) {
    super(message);
  }
}
