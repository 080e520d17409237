/** JSON of the ledger, passed on unchanged. */
export type LedgerJson = Readonly<Record<string, unknown>>;
