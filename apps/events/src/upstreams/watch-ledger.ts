import type { EventSource, LedgerIdentity } from './event-source.js';
import { isOtherLedger } from './ledger-identity.js';
import { UpstreamFailed } from './upstream-errors.js';

export interface LedgerWatch {
  /** Aborts with an `UpstreamFailed` when the node serves another ledger. */
  readonly changed: AbortSignal;
  stop(): void;
}

/**
 * Asks a node that is followed for its ledger while nothing arrives: events are linked to the ones before, but a shorter
 * ledger has none. `position`: the last event.
 */
export function watchLedger(
  source: EventSource,
  known: LedgerIdentity,
  position: () => unknown,
  everyMs: number,
): LedgerWatch {
  const changed = new AbortController();
  let before = position();
  const look = async () => {
    const now = position();
    const hasAdvanced = now !== before;
    before = now;
    if (hasAdvanced || !isOtherLedger(known, await source.ledgerIdentity())) return;
    changed.abort(new UpstreamFailed(`${source.name} serves another ledger than before`));
  };
  // A node that does not answer ends the stream in its own way.
  const timer = setInterval(() => void look().catch(() => undefined), everyMs);
  return { changed: changed.signal, stop: () => clearInterval(timer) };
}
