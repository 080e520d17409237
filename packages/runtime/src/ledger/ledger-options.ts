import type { IotaLedgerOptions } from '@forecourt/ledger';
import type { ConfigOf, ledgerVariables } from '../config/index.js';

/** Addresses of the ledger's nodes and options of calls to them. */
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
