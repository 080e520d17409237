import { UpstreamFailed } from '../../upstreams/upstream-failed.js';

/** The node serves another ledger than the index holds. */
export class OtherLedger extends UpstreamFailed {
  constructor(name: string, why = '') {
    super(`${name} serves another ledger than the index of events holds${why}`);
  }
}
