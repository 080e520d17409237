import type { Status } from '@forecourt/ledger/node-messages';

/** An answer that is an error, of a call or of one of its items. */
export class GrpcFailure extends Error {
  constructor(readonly status: Status) {
    super(status.message);
  }
}
