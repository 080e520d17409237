import type { IotaLedgerOptions } from '@forecourt/ledger';
import type { ConfigOf, ledgerVariables } from '../config/index.js';

/** Where the ledger's nodes are and how they are called. */
export type LedgerSettings = ConfigOf<typeof ledgerVariables>;

/** The configured nodes as options of `createIotaLedger`. */
export function ledgerOptions(settings: LedgerSettings): IotaLedgerOptions {
  return {
    urls: settings.ledgerUrls,
    readUrls: settings.ledgerReadUrls,
    headers: settings.ledgerHeaders,
    requestTimeoutMs: settings.ledgerTimeoutMs,
    statusMaxAgeMs: settings.ledgerStatusMs,
  };
}
