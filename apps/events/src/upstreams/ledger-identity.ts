import type { LedgerIdentity } from './event-source.js';

/** Compares only values that both nodes report, which depend on their dialect. */
export function isOtherLedger(known: LedgerIdentity, found: LedgerIdentity): boolean {
  const parts = ['chainIdentifier', 'genesisTransaction'] as const;
  return parts.some(
    (part) => known[part] !== null && found[part] !== null && known[part] !== found[part],
  );
}

/** The known values, and those that another node of the same ledger has reported. */
export function mergeIdentities(
  known: LedgerIdentity | null,
  found: LedgerIdentity,
): LedgerIdentity {
  return {
    chainIdentifier: found.chainIdentifier ?? known?.chainIdentifier ?? null,
    genesisTransaction: found.genesisTransaction ?? known?.genesisTransaction ?? null,
  };
}
