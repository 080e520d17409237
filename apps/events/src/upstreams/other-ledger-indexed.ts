import { JsonRpcCode, JsonRpcError } from '@forecourt/contracts';
import type { LedgerIdentity } from './event-source.js';

/** -32000: the index holds another ledger than the node serves, from which live events come. */
export class OtherLedgerIndexed extends JsonRpcError {
  constructor(held: LedgerIdentity, served: LedgerIdentity) {
    super(
      JsonRpcCode.callFailed,
      `The index of events holds another ledger (${nameOf(held)}) than the ledger node serves (${nameOf(served)}); no events are available until the node serves that ledger again`,
    );
  }
}

function nameOf({ chainIdentifier, genesisTransaction }: LedgerIdentity): string {
  return chainIdentifier ?? `first transaction ${genesisTransaction}`;
}
